import type { RateLimitOptions } from '../queue/rate-limit.ts';
import type { Controller, Reconciled, Source } from './types.ts';

export interface ControllerDefinition<K> {
  /** For logs and metrics: lower case, no spaces. */
  readonly name: string;
  readonly sources: readonly Source<K>[];
  /** Keys at work at the same time; 1 when absent. */
  readonly concurrency?: number;
  /** After this long the signal of a reconcile aborts, and it counts as failed. Five minutes when absent. */
  readonly deadlineMs?: number;
  readonly backoff?: RateLimitOptions;
  /** Nothing to say: all is well until something changes. */
  reconcile(key: K, signal: AbortSignal): Promise<Reconciled | undefined>;
}

/** A controller from its parts. Wrong parts throw here, at the start, and not when the first key comes. */
export function controller<K = string>(definition: ControllerDefinition<K>): Controller<K> {
  const { name, sources, concurrency = 1, deadlineMs, backoff } = definition;
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new TypeError(`not a controller's name: ${JSON.stringify(name)}`);
  if (sources.length === 0) throw new TypeError(`${name}: a controller needs a source`);
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new TypeError(`${name}: concurrency is a whole number from 1 on`);
  }
  if (deadlineMs !== undefined && !(deadlineMs > 0)) throw new TypeError(`${name}: a deadline is above 0`);
  return {
    name,
    sources,
    concurrency,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(backoff === undefined ? {} : { backoff }),
    reconcile: async (key, signal) => (await definition.reconcile(key, signal)) ?? {},
  };
}
