import { type ApiObject, type Client, type Env, waitFor } from '@orch/client';
import { messageOf } from '@orch/machinery';
import { DeadlineExceeded } from '@orch/machinery/concurrency';
import { historyOf, historyText, resourceOf } from './history.ts';

/** How long `eventually` waits. */
export interface EventuallyOptions {
  /** After this time it rejects; ten seconds when absent. */
  readonly timeoutMs?: number;
}

/** An expectation of an object: it returns whether it is met, or throws the reason why not, as `node:assert` does. */
export type Expectation<T> = (object: T | undefined) => unknown;

const TIMEOUT_MS = 10_000;
const never = new AbortController().signal;

/**
 * Waits on a watch until an object meets an expectation; a deleted object is undefined. Resolves with the object. Rejects with the
 * reason, the history of the object and its last state.
 */
export async function eventually<T extends ApiObject>(
  { client, env }: { readonly client: Client; readonly env: Env },
  { object, expectation }: { readonly object: T; readonly expectation: Expectation<T> },
  options: EventuallyOptions = {},
  signal: AbortSignal = never,
): Promise<T | undefined> {
  const { timeoutMs = TIMEOUT_MS } = options;
  const { name = '', namespace } = object.metadata;
  const resource = await resourceOf(client, object, signal);
  const last: { reason?: unknown; object?: ApiObject | undefined } = {};
  const is = (found: ApiObject | undefined): boolean => {
    last.object = found;
    try {
      last.reason = undefined;
      return expectation(found as T | undefined) !== false;
    } catch (reason) {
      last.reason = reason;
      return false;
    }
  };
  const at = namespace === undefined ? {} : { namespace };
  try {
    return (await waitFor({ client, env, resource, name, ...at, is, timeoutMs }, signal)) as T | undefined;
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    const place = namespace === undefined ? name : `${namespace}/${name}`;
    const reason = last.reason === undefined ? '' : `\n${messageOf(last.reason)}`;
    const history = historyText(await historyOf(client, { object }));
    const state = last.object === undefined ? 'it does not exist' : JSON.stringify(last.object, null, 2);
    throw new Error(
      `${object.kind} ${place} is not as expected within ${timeoutMs} ms${reason}\nIts history:\n${history}\nIts last state:\n${state}`,
      { cause: last.reason ?? error },
    );
  }
}
