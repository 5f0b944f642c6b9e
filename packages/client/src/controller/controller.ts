import { finiteNumber } from '@orch/machinery';
import type { RateLimitOptions } from '@orch/machinery/queue';
import type { Controller, Reconciled, Source } from './types.ts';

/** A controller: the sources of its keys, and what it does for one key. */
export interface ControllerDefinition<K> {
  /** For logs and metrics: lower case, no spaces. */
  readonly name: string;
  readonly sources: readonly Source<K>[];
  /** Concurrently reconciled keys; 1 when absent. */
  readonly concurrency?: number;
  /** After this time the signal of a reconciliation aborts, and it counts as failed. Five minutes when absent. */
  readonly deadlineMs?: number;
  readonly backoff?: RateLimitOptions;
  /** Resolves with nothing when the next reconciliation is due only after a change. */
  reconcile(key: K, signal: AbortSignal): Promise<Reconciled | undefined> | Promise<void>;
}

/** Creates a controller. Throws for an invalid definition. */
export function controller<K = string>(definition: ControllerDefinition<K>): Controller<K> {
  const { name, sources, concurrency = 1, deadlineMs, backoff } = definition;
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new TypeError(`invalid name of a controller: ${JSON.stringify(name)}`);
  if (sources.length === 0) throw new TypeError(`${name}: a controller needs a source`);
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new TypeError(`${name}: concurrency must be a positive integer`);
  }
  if (deadlineMs !== undefined) finiteNumber(`${name}: deadlineMs`, deadlineMs, { above: 0 });
  return {
    name,
    sources,
    concurrency,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(backoff === undefined ? {} : { backoff }),
    async reconcile(key, signal) {
      const result = await definition.reconcile(key, signal);
      return typeof result === 'object' ? result : {};
    },
  };
}
