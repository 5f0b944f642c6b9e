import type { Names } from '@orch/machinery';
import { countAmount } from './amounts.ts';
import { claimEvaluator } from './claims.ts';
import { type Evaluator, lasting } from './measure.ts';
import { podEvaluator } from './pods.ts';
import { serviceEvaluator } from './services.ts';

/** Core resources whose number is also bounded under their plain name. */
const bareNames: ReadonlySet<string> = new Set([
  'configmaps',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
]);

/** The name of the bound on the number of objects of a resource: `count/pods`, `count/deployments.apps`. */
export const countBound = (group: string, resource: string): string =>
  group === '' ? `count/${resource}` : `count/${resource}.${group}`;

/** The evaluator of a namespaced resource for quotas. `group` is the served name. */
export function quotaEvaluator(group: string, resource: string, names: Names): Evaluator {
  if (group === '' && resource === 'pods') return podEvaluator(names);
  if (group === '' && resource === 'services') return serviceEvaluator;
  if (group === '' && resource === 'persistentvolumeclaims') return claimEvaluator(names);
  const bounds = [countBound(group, resource)];
  if (group === '' && bareNames.has(resource)) bounds.push(resource);
  // All objects of the resource use the same amounts, so they share them.
  const measure = lasting(new Map(bounds.map((bound) => [bound, countAmount(1)])));
  return { group, resource, counts: (name) => bounds.includes(name), measure: () => measure };
}

/** Resources that quotas do not count: they are created and removed without a request of a user. */
export const isUncounted = (group: string, resource: string): boolean =>
  group === '' && resource === 'events';
