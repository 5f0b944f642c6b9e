import type { ObjectSource } from '@orch/auth';
import type { HubObject } from '@orch/kinds/hub-object';

/**
 * A cluster-scoped class that a pod names. A class that is missing in the cache is looked up again after the cache has
 * caught up: clients create a class and its first pod together, also on two replicas.
 */
export function namedClass<R extends string>(
  source: ObjectSource,
  resource: R,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
): HubObject<R> | Promise<HubObject<R> | undefined> {
  const read = (): HubObject<R> | undefined => source.get(resource, '', name);
  return read() ?? source.fresh(signal).then(read);
}
