import type { Env } from '@orch/machinery';
import type { RateLimitOptions } from '@orch/machinery/queue';
import type { Client } from '../client.ts';
import type { EventRecorder } from '../events/types.ts';
import type { InformerFactory } from '../informer/types.ts';

/** The result of a successful reconciliation, which may request the next one. */
export interface Reconciled {
  readonly requeueAfterMs?: number;
}

/**
 * A source of keys. It adds the keys that changes concern until the signal aborts, after the keys of all existing
 * objects. It runs again after keys were dropped because the queue was full.
 */
export interface Source<K> {
  run(add: (key: K, delayMs?: number) => void, signal: AbortSignal): Promise<void>;
  /** Resolves once `add` was called for all existing objects. */
  synced(signal: AbortSignal): Promise<void>;
}

/**
 * Reconciles the actual state of an object with the desired one. Level-triggered: it depends on the current state, not on
 * the change. Failures are retried with backoff. A key is never reconciled concurrently; reconciliation is idempotent.
 */
export interface Controller<K = string> {
  readonly name: string;
  readonly sources: readonly Source<K>[];
  /** Concurrently reconciled keys; 1 when absent. */
  readonly concurrency?: number;
  /** After this time the signal of a reconciliation aborts, and it counts as failed. Five minutes when absent. */
  readonly deadlineMs?: number;
  /** Delays after failures; see `RateLimitOptions` for the defaults. */
  readonly backoff?: RateLimitOptions;
  reconcile(key: K, signal: AbortSignal): Promise<Reconciled>;
}

/** The dependencies of a controller. */
export interface ControllerContext {
  readonly env: Env;
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly events: EventRecorder;
}
