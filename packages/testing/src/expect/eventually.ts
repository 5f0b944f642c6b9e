import { isPromise } from 'node:util/types';
import { type ApiObject, type Client, type Env, waitFor } from '@orch/client';
import { messageOf } from '@orch/machinery';
import { DeadlineExceeded } from '@orch/machinery/concurrency';
import { historyOf, historyText, type ObjectWrite, resourceOf } from './history.ts';

/** How long `eventually` waits. */
export interface EventuallyOptions {
  /** After this time it rejects; ten seconds when absent. */
  readonly timeoutMs?: number;
}

/**
 * An expectation of an object: it returns whether it is met, or returns nothing and throws the reason why not, as `node:assert` does.
 * It is not async.
 */
export type Expectation<T, R = unknown> = (object: T | undefined) => R & Decision<R>;

/**
 * What an expectation may return. One that returns nothing throws until it is met, so `undefined` means that it is met; the result of
 * `object?.status?.ready` would, too, while there is no status.
 */
export type Decision<R> = [R] extends [Nothing] ? R : undefined extends R ? MustReturnTrueOrFalse : R;

/** The result of a function without a `return`. */
type Nothing = ReturnType<() => void>;

/** Names in a message of the compiler what is wrong with an expectation. */
interface MustReturnTrueOrFalse {
  readonly undefinedMeansThatTheExpectationIsMet: never;
}

const TIMEOUT_MS = 10_000;
/** Writes that the message of a failure lists. */
const MOST_WRITES = 50;
const never = new AbortController().signal;

/**
 * Waits on a watch until an object meets an expectation; a deleted object is undefined. Resolves with the object. Rejects with the
 * reason, the history of the object and its last state; with a TypeError for an object without a name, of a kind that is not served,
 * and for an expectation that returns a promise. The time is that of `env`.
 */
export async function eventually<T extends ApiObject>(
  { client, env }: { readonly client: Client; readonly env: Env },
  { object, expectation }: { readonly object: T; readonly expectation: (object: T | undefined) => unknown },
  options: EventuallyOptions = {},
  signal: AbortSignal = never,
): Promise<T | undefined> {
  const { timeoutMs = TIMEOUT_MS } = options;
  const { name = '', namespace } = object.metadata;
  if (name === '') throw new TypeError('an object without metadata.name cannot be awaited');
  const resource = await resourceOf(client, object, signal);
  const last: { reason?: unknown; object?: ApiObject | undefined } = {};
  const is = (found: ApiObject | undefined): boolean => {
    last.object = found;
    last.reason = undefined;
    let met: unknown;
    try {
      met = expectation(found as T | undefined);
    } catch (reason) {
      last.reason = reason;
      return false;
    }
    refusePromise(met);
    return met === undefined || Boolean(met);
  };
  const at = namespace === undefined ? {} : { namespace };
  try {
    return (await waitFor({ client, env, resource, name, ...at, is, timeoutMs }, signal)) as T | undefined;
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    const place = namespace === undefined ? name : `${namespace}/${name}`;
    const reason = last.reason === undefined ? '' : `\n${messageOf(last.reason)}`;
    const history = lastWrites(await historyOf(client, { object }));
    const state = last.object === undefined ? 'it does not exist' : stateText(last.object);
    throw new Error(
      `${object.kind} ${place} is not as expected within ${timeoutMs} ms${reason}\nIts history:\n${history}\nIts last state:\n${state}`,
      { cause: last.reason ?? error },
    );
  }
}

/** The end of a history as text: an object that changes all the time has a long one. */
function lastWrites(writes: readonly ObjectWrite[]): string {
  if (writes.length === 0) return '  no write is recorded';
  const text = historyText(writes.slice(-MOST_WRITES));
  return writes.length <= MOST_WRITES ? text : `  (${writes.length - MOST_WRITES} writes before)\n${text}`;
}

/** A promise would meet every expectation. */
function refusePromise(met: unknown): void {
  if (!isPromise(met)) return;
  Promise.resolve(met).catch(() => undefined);
  throw new TypeError(
    'an expectation must return its result, and not a promise: it is called with each state',
  );
}

/** The object without its managed fields: the history tells who wrote which. */
function stateText(object: ApiObject): string {
  const { managedFields: _, ...metadata } = object.metadata;
  return JSON.stringify({ ...object, metadata }, null, 2);
}
