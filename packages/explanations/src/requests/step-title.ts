import type { RequestStep } from '@orch/request';
import type { Asker, AskerParts } from '../answer/asker.ts';
import type { ObjectPlace } from '../answer/cause.ts';

type Parts = Pick<AskerParts, 'names'>;

/** The object that configures a webhook; undefined where the user may not read it. */
export async function configurationOf(
  asker: Asker,
  { names }: Parts,
  { configuration }: RequestStep,
): Promise<ObjectPlace | undefined> {
  if (configuration === undefined) return undefined;
  const where = { group: names.group('admissionregistration'), ...configuration, namespace: '' };
  return (await asker.may({ ...where, verb: 'get' })) ? where : undefined;
}

/** The name of a priority level, for users who may read it. */
export async function levelTitle(asker: Asker, { names }: Parts, level: string): Promise<string> {
  const where = {
    group: names.group('flowcontrol'),
    resource: 'prioritylevelconfigurations',
    namespace: '',
    name: level,
  };
  return (await asker.may({ ...where, verb: 'get' }))
    ? `priority level ${level}`
    : 'a priority level that you may not read';
}

/** The name of a step; that of a webhook only for users who may read its configuration. */
export async function stepTitle(asker: Asker, parts: Parts, step: RequestStep): Promise<string> {
  if (step.stage !== 'webhook') return step.name;
  const where = await configurationOf(asker, parts, step);
  return where === undefined ? 'a webhook that you may not read' : `${step.name} of ${where.name}`;
}
