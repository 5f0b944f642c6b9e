import type { UserInfo } from '@orch/auth';
import type { RequestRecord } from '@orch/pipeline';
import { attributesOf } from '@orch/request';
import { accessCauses } from '../access/access-causes.ts';
import type { Asker, AskerParts } from '../answer/asker.ts';
import type { Cause, CauseType } from '../answer/cause.ts';
import { configurationOf, levelTitle } from './step-title.ts';
import { queryOf } from './target-query.ts';

/** The causes why a request was refused; empty when it was not. */
export async function refusalCauses(
  asker: Asker,
  parts: AskerParts,
  record: RequestRecord,
): Promise<readonly Cause[]> {
  const { failure, code } = record;
  if (failure === undefined) return [];
  const message = failure.message === '' ? `it was answered with ${code}` : failure.message;
  switch (failure.stage) {
    case 'authorization':
      return [{ type: 'Authorization', message }, ...(await decidedNow(asker, parts, record))];
    case 'flow control':
      return [await flowCause(asker, parts, record)];
    case 'admission':
      return [await admissionCause(asker, parts, record)];
    case '':
      return [{ type: failureTypes.get(failure.reason) ?? 'Failure', message }];
  }
}

const failureTypes: ReadonlyMap<string, CauseType> = new Map([
  ['Invalid', 'Validation'],
  ['Conflict', 'Conflict'],
  ['AlreadyExists', 'Conflict'],
]);

/** Permissions may have changed since: the same question is decided again. */
async function decidedNow(asker: Asker, parts: AskerParts, record: RequestRecord): Promise<readonly Cause[]> {
  const { info, target, isTargetCut } = record;
  const user = userOf(asker, record);
  if (user === undefined || isTargetCut) return [];
  const group = parts.names.group('authorization');
  const review = { verb: 'create', group, resource: 'subjectaccessreviews', namespace: '', name: '' };
  if (user !== asker.user && !(await asker.may(review))) return [];
  return (await accessCauses(asker, parts, attributesOf(info, user, queryOf(target)))).causes;
}

/** The user of the request; undefined when the record lacks fields that authorizers read. */
function userOf({ user: own }: Asker, { user, credentials }: RequestRecord): UserInfo | undefined {
  if (user.name === own.name && user.uid === own.uid) return own;
  return credentials === undefined ? undefined : { ...user, ...credentials };
}

async function flowCause(asker: Asker, parts: AskerParts, { flow, failure }: RequestRecord): Promise<Cause> {
  const title = await levelTitle(asker, parts, flow?.level ?? '');
  const resolvedBy = await asker.resolution('giving the level more seats', {
    verb: 'update',
    group: parts.names.group('flowcontrol'),
    resource: 'prioritylevelconfigurations',
    namespace: '',
    name: flow?.level ?? '',
  });
  const message = `flow control refused it: ${failure?.message ?? ''} (${title})`;
  return { type: 'FlowControl', message, resolvedBy };
}

async function admissionCause(asker: Asker, parts: AskerParts, record: RequestRecord): Promise<Cause> {
  const { steps, failure, info } = record;
  const refused = steps.filter((step) => step.refused && step.stage !== 'store');
  const step = refused.find(({ stage }) => stage === 'webhook') ?? refused[0];
  const message = failure?.message ?? '';
  const { names } = parts;
  if (step?.stage === 'webhook') {
    const where = await configurationOf(asker, parts, step);
    if (where === undefined) return { type: 'Webhook', message };
    const resolvedBy = await asker.resolution('changing the webhook configuration', {
      ...where,
      verb: 'update',
    });
    return { type: 'Webhook', message, where, resolvedBy };
  }
  const namespace = info.isResource && info.isInNamespace ? info.namespace : '';
  const limit = limitOf(step?.name ?? '');
  if (limit === undefined || (limit.isNamespaced && namespace === ''))
    return {
      type: 'AdmissionPlugin',
      message: `the admission plugin ${step?.name ?? ''} refused it: ${message}`,
    };
  const place = {
    group: names.group(limit.group),
    resource: limit.resource,
    namespace: limit.isNamespaced ? namespace : '',
    name: '',
  };
  const resolvedBy = await asker.resolution(limit.action, { ...place, verb: 'update' });
  return {
    type: limit.type,
    message: `the admission plugin ${step?.name ?? ''} refused it: ${message}`,
    resolvedBy,
  };
}

interface Limit {
  readonly type: CauseType;
  readonly group: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
  readonly action: string;
}

/** The objects that plugins base their decisions on. */
function limitOf(plugin: string): Limit | undefined {
  switch (plugin) {
    case 'ResourceQuota':
      return {
        type: 'Quota',
        group: '',
        resource: 'resourcequotas',
        isNamespaced: true,
        action: 'raising the quota',
      };
    case 'LimitRanger':
      return {
        type: 'LimitRange',
        group: '',
        resource: 'limitranges',
        isNamespaced: true,
        action: 'changing the limit range',
      };
    case 'ValidatingAdmissionPolicy':
      return {
        type: 'AdmissionPolicy',
        group: 'admissionregistration',
        resource: 'validatingadmissionpolicies',
        isNamespaced: false,
        action: 'changing the policy',
      };
    default:
      return undefined;
  }
}
