import type { ObjectSource } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';

/**
 * A cluster-scoped class that a pod names. A class that is missing in the cache is looked up again after the cache has
 * caught up: clients create a class and its first pod together, also on two replicas.
 */
export function namedClass<T extends ApiObject>(
  source: ObjectSource,
  resource: string,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
): T | Promise<T | undefined> {
  const read = (): T | undefined => source.get(resource, '', name) as T | undefined;
  return read() ?? source.fresh(signal).then(read);
}
