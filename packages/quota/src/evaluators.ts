import type { Names } from '@orch/machinery';
import { countAmount } from './amounts.ts';
import { claimEvaluator } from './claims.ts';
import { type Evaluator, lasting } from './measure.ts';
import { podEvaluator } from './pods.ts';
import { serviceEvaluator } from './services.ts';

/** Core resources whose number is also bounded by their bare name. */
const bareNames: ReadonlySet<string> = new Set([
  'configmaps',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
]);

/** The bound on the number of objects of a resource: `count/pods`, `count/deployments.apps`. */
export const countBound = (group: string, resource: string): string =>
  group === '' ? `count/${resource}` : `count/${resource}.${group}`;

/** How the objects of a namespaced resource count against quotas. `group` is as served. */
export function quotaEvaluator(group: string, resource: string, names: Names): Evaluator {
  if (group === '' && resource === 'pods') return podEvaluator(names);
  if (group === '' && resource === 'services') return serviceEvaluator;
  if (group === '' && resource === 'persistentvolumeclaims') return claimEvaluator(names);
  const bounds = [countBound(group, resource)];
  if (group === '' && bareNames.has(resource)) bounds.push(resource);
  // All objects of the resource take the same, so they share it.
  const measure = lasting(new Map(bounds.map((bound) => [bound, countAmount(1)])));
  return { group, resource, counts: (name) => bounds.includes(name), measure: () => measure };
}

/** Resources that no quota counts: they come and go without anybody asking for them. */
export const isUncounted = (group: string, resource: string): boolean =>
  group === '' && resource === 'events';
