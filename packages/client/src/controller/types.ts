import type { Env } from '@orch/machinery';
import type { EventRecorder } from '../events/types.ts';
import type { InformerFactory } from '../informer/types.ts';
import type { RateLimitOptions } from '../queue/rate-limit.ts';
import type { Client } from '../rest/client.ts';

/** After a successful reconcile: nothing more, or once more later. */
export interface Reconciled {
  readonly requeueAfterMs?: number;
}

/**
 * Where keys come from: watches a thing and adds the keys that its changes concern, until the signal aborts. Begins with
 * the keys of everything that is there, each time that it is run: runs follow each other when a queue had no more room.
 */
export interface Source<K> {
  run(add: (key: K, delayMs?: number) => void, signal: AbortSignal): Promise<void>;
  /** Resolves once `add` was called for everything that is there at the start. */
  synced(signal: AbortSignal): Promise<void>;
}

/**
 * Brings one thing to how it should be. Level-triggered: looks at what is there, not at what happened; called again
 * with backoff when it throws; never twice at once for one key; safe to be run twice.
 */
export interface Controller<K = string> {
  readonly name: string;
  readonly sources: readonly Source<K>[];
  /** Keys at work at the same time; 1 when absent. */
  readonly concurrency?: number;
  /** After this long the signal of a reconcile aborts, and it counts as failed. Five minutes when absent. */
  readonly deadlineMs?: number;
  /** How failed keys wait; see `RateLimitOptions` for what holds when absent. */
  readonly backoff?: RateLimitOptions;
  reconcile(key: K, signal: AbortSignal): Promise<Reconciled>;
}

/** What a controller is built from: everything that it may touch. */
export interface ControllerContext {
  readonly env: Env;
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly events: EventRecorder;
}
