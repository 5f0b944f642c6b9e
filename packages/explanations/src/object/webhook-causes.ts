import type { Names } from '@orch/machinery';
import { asObjects, asStrings, asText, type JsonObject } from '@orch/machinery/json';
import type { Asker } from '../answer/asker.ts';
import type { Cause, ObjectPlace } from '../answer/cause.ts';
import type { StoredObjects } from '../answer/stored-objects.ts';

const resources = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'] as const;

/** A configuration with a webhook that is called for an operation, unless its selectors or conditions exclude it. */
interface Called {
  readonly webhook: string;
  readonly isRequired: boolean;
}

/**
 * The admission webhooks that are called for an operation on the object and may refuse it. A configuration that the
 * user may not read has no name here.
 */
export async function webhookCauses(
  asker: Asker,
  objects: StoredObjects,
  {
    place,
    operation,
    names,
  }: { readonly place: ObjectPlace; readonly operation: 'DELETE' | 'UPDATE'; readonly names: Names },
): Promise<readonly Cause[]> {
  const group = names.group('admissionregistration');
  const causes: Cause[] = [];
  let isHidden = false;
  for (const resource of resources) {
    const { objects: configurations } = objects.kind(group, resource);
    for (const { object } of (await configurations.readAll(asker.signal)).values()) {
      const called = calledOf(asObjects(object['webhooks']), place, operation);
      if (called.length === 0) continue;
      const where = { group, resource, namespace: '', name: object.metadata.name ?? '' };
      if (!(await asker.may({ ...where, verb: 'get' }))) isHidden = true;
      else
        causes.push(
          ...(await Promise.all(called.map((one) => webhookCause(asker, where, { ...one, operation })))),
        );
    }
  }
  const message = `an admission webhook that you may not read may refuse ${titles[operation]}`;
  return isHidden ? [...causes, { type: 'Webhook', message }] : causes;
}

const titles = { DELETE: 'the deletion', UPDATE: 'the removal of finalizers' } as const;

async function webhookCause(
  asker: Asker,
  where: ObjectPlace,
  { webhook, isRequired, operation }: Called & { readonly operation: keyof typeof titles },
): Promise<Cause> {
  const failing = isRequired ? ', also while it cannot be reached' : '';
  return {
    type: 'Webhook',
    message: `the admission webhook ${JSON.stringify(webhook)} may refuse ${titles[operation]}${failing}`,
    where,
    resolvedBy: await asker.resolution('changing the webhook configuration', { ...where, verb: 'update' }),
  };
}

const calledOf = (
  webhooks: readonly JsonObject[],
  place: ObjectPlace,
  operation: string,
): readonly Called[] =>
  webhooks
    .filter((webhook) => asObjects(webhook['rules']).some((rule) => matches(rule, place, operation)))
    .map((webhook) => ({
      webhook: asText(webhook['name']),
      isRequired: asText(webhook['failurePolicy']) !== 'Ignore',
    }));

function matches(rule: JsonObject, { group, resource, namespace }: ObjectPlace, operation: string): boolean {
  const has = (field: string, ...words: readonly string[]): boolean =>
    asStrings(rule[field]).some((word) => words.includes(word));
  const scope = asText(rule['scope']);
  return (
    has('operations', operation, '*') &&
    has('apiGroups', group, '*') &&
    has('resources', resource, '*', '*/*') &&
    (scope === '' || scope === '*' || (scope === 'Namespaced') === (namespace !== ''))
  );
}
