import { type ApiObject, type Env, finiteNumber } from '@orch/machinery';
import { anySignal, deferred, withDeadline } from '@orch/machinery/concurrency';
import type { Client } from '../client.ts';
import { keyOf } from '../objects/object-key.ts';
import type { Stored, TypedResource } from '../rest/types.ts';
import { createInformer } from './informer.ts';

/** The object and condition to wait for. */
export interface WaitOptions<T extends ApiObject> {
  readonly client: Client;
  readonly env: Env;
  readonly resource: TypedResource<T>;
  readonly namespace?: string;
  readonly name: string;
  /** The condition. A missing object is undefined. */
  readonly is: (object: Stored<T> | undefined) => boolean;
  /** After this time it rejects with `DeadlineExceeded`. */
  readonly timeoutMs: number;
}

/**
 * Waits for a condition of an object, also over lost connections and restarts of the server. Resolves with the object, or
 * undefined if it does not exist. Rejects with the reason of the signal, with `DeadlineExceeded`, and with errors of `is`.
 */
export async function waitFor<T extends ApiObject = ApiObject>(
  options: WaitOptions<T>,
  signal: AbortSignal,
): Promise<Stored<T> | undefined> {
  const { client, env, resource, namespace, name, is, timeoutMs } = options;
  finiteNumber('timeoutMs', timeoutMs);
  using deadline = withDeadline(signal, env.clock, timeoutMs);
  using scope = anySignal([deadline.signal]);
  const found = deferred<Stored<T> | undefined>();
  const informer = createInformer<T>({ client, env }, resource, {
    ...(namespace === undefined ? {} : { namespace }),
    fieldSelector: `metadata.name=${name}`,
    transform: (object) => object,
  });
  const look = (): void => {
    if (!informer.hasSynced || found.settled) return;
    const object = informer.store.get(keyOf(namespace, name));
    try {
      if (is(object)) found.resolve(object);
    } catch (error) {
      found.reject(error);
    }
  };
  informer.subscribe(look);
  const run = informer.run(scope.signal).then(() => found.reject(scope.signal.reason));
  informer.synced(scope.signal).then(look, () => undefined);
  try {
    return await found.promise;
  } finally {
    scope.abort(new Error('the wait is over'));
    await run;
  }
}

type Conditions = readonly { readonly type?: unknown; readonly status?: unknown }[];

/** Reports whether a condition of an object's status has a value. For `waitFor`: `is: (pod) => hasCondition(pod, 'Ready')`. */
export function hasCondition(object: ApiObject | undefined, type: string, status = 'True'): boolean {
  const conditions = (object?.['status'] as { readonly conditions?: Conditions } | undefined)?.conditions;
  return (
    Array.isArray(conditions) &&
    (conditions as Conditions).some((each) => each.type === type && each.status === status)
  );
}
