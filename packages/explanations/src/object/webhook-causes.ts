import type {
  MutatingWebhook,
  RuleWithOperations,
  ValidatingWebhook,
} from '@orch/kinds/admissionregistration';
import type { Names } from '@orch/machinery';
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
    const configurations = await objects.builtIn('admissionregistration', resource)?.readAll(asker.signal);
    for (const { object } of configurations?.values() ?? []) {
      const called = calledOf(object.webhooks ?? [], place, operation);
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
  webhooks: readonly (MutatingWebhook | ValidatingWebhook)[],
  place: ObjectPlace,
  operation: string,
): readonly Called[] =>
  webhooks
    .filter((webhook) => (webhook.rules ?? []).some((rule) => matches(rule, place, operation)))
    .map(({ name = '', failurePolicy }) => ({ webhook: name, isRequired: failurePolicy !== 'Ignore' }));

function matches(
  { operations, apiGroups, resources: ruled, scope = '' }: RuleWithOperations,
  { group, resource, namespace }: ObjectPlace,
  operation: string,
): boolean {
  return (
    hasOne(operations, operation, '*') &&
    hasOne(apiGroups, group, '*') &&
    hasOne(ruled, resource, '*', '*/*') &&
    (scope === '' || scope === '*' || (scope === 'Namespaced') === (namespace !== ''))
  );
}

const hasOne = (list: readonly string[] | null | undefined, ...words: readonly string[]): boolean =>
  list?.some((word) => words.includes(word)) === true;
