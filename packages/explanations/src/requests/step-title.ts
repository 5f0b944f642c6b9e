import type { RequestStep } from '@orch/request';
import type { Asker, AskerParts } from '../answer/asker.ts';
import type { ObjectPlace } from '../answer/cause.ts';

/** What explanations of requests need. */
export class RequestParts {
  readonly access: AskerParts;

  constructor(access: AskerParts) {
    this.access = access;
  }

  /** The object that configures a webhook; undefined where the user may not read it. */
  async configurationOf(asker: Asker, { configuration }: RequestStep): Promise<ObjectPlace | undefined> {
    if (configuration === undefined) return undefined;
    const group = this.access.names.group('admissionregistration');
    const where = { group, ...configuration, namespace: '' };
    return (await asker.may({ ...where, verb: 'get' })) ? where : undefined;
  }

  async levelTitle(asker: Asker, level: string): Promise<string> {
    const where = {
      group: this.access.names.group('flowcontrol'),
      resource: 'prioritylevelconfigurations',
      namespace: '',
      name: level,
    };
    return (await asker.may({ ...where, verb: 'get' }))
      ? `priority level ${level}`
      : 'a priority level that you may not read';
  }
}

/** The name of a step; that of a webhook only for users who may read its configuration. */
export async function stepTitle(asker: Asker, parts: RequestParts, step: RequestStep): Promise<string> {
  if (step.stage !== 'webhook') return step.name;
  const where = await parts.configurationOf(asker, step);
  return where === undefined ? 'a webhook that you may not read' : `${step.name} of ${where.name}`;
}
