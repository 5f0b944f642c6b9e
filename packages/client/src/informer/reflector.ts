import type { ApiObject, Env, Logger, Names } from '@orch/machinery';
import { abortable, Backoff, DeadlineExceeded, withDeadline } from '@orch/machinery/concurrency';
import type { Stored, WatchEvent } from '../rest/types.ts';
import { faultOf, isExpired, isRefused } from './faults.ts';
import type { InformerMetrics } from './informer-metrics.ts';
import { listState, type Reading, type State, streamState } from './initial-state.ts';
import {
  FIRST_WAIT_MS,
  GOOD_WATCH_MS,
  GRACE_MS,
  MAX_WAIT_MS,
  SILENT_MS,
  watchSeconds,
} from './watch-limits.ts';

/** The target of a reflector. */
export interface Sink<T extends ApiObject> {
  /** Replaces the content by a complete state. */
  replace(state: State<T>): void;
  /** Applies a change after the current state. Bookmarks only change the resourceVersion. */
  apply(event: WatchEvent<Stored<T>>): void;
}

/** Whether streaming lists are used; disabled for good after the first server without support. */
export interface Streaming {
  enabled: boolean;
}

export interface ReflectorOptions<T extends ApiObject> {
  readonly env: Env;
  readonly log: Logger;
  readonly names: Names;
  readonly metrics: InformerMetrics;
  readonly reading: Reading<T>;
  readonly streaming: Streaming;
  readonly sink: Sink<T>;
  readonly onListFailed: (error: unknown) => void;
}

/** Minimum interval between lists, beyond which they are delayed with backoff. */
const RELIST_REST_MS = 60_000;

/**
 * Keeps a sink equal to the server: reads the state, watches from there, resumes after the end of a watch, and reads the
 * state again when that is impossible. Failures only delay the next attempt.
 */
export class Reflector<T extends ApiObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #retry: Backoff;
  readonly #relist: Backoff;
  #listedAt = Number.NEGATIVE_INFINITY;
  /** The resourceVersion for the next watch; undefined when the state must be read first. */
  #position: string | undefined;
  /** The number of events that the current watch has delivered. */
  #events = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#retry = new Backoff(options.env, FIRST_WAIT_MS, MAX_WAIT_MS);
    this.#relist = new Backoff(options.env, FIRST_WAIT_MS, MAX_WAIT_MS);
  }

  /** Resolves when the signal aborts, and only then. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const step = this.#position === undefined ? 'list' : 'watch';
      try {
        if (this.#position === undefined) await this.#list(signal);
        else await this.#watch(this.#position, signal);
      } catch (error) {
        if (signal.aborted) return;
        await this.#failed(step, error, signal);
      }
    }
  }

  /** Logs and counts a failure, and waits. Never rejects. */
  async #failed(step: 'list' | 'watch', error: unknown, signal: AbortSignal): Promise<void> {
    const { log, metrics } = this.#options;
    const fault = faultOf(error);
    metrics.failed(step, fault);
    // The expiration of history is part of the protocol and not a failure.
    if (isExpired(error)) log.info('history has expired, reading the state again', { step });
    else log.warn(`${step} failed, trying again`, { fault, failures: this.#retry.failures + 1, error });
    if (isExpired(error)) this.#position = undefined;
    if (step === 'list') this.#options.onListFailed(error);
    await this.#retry.wait(signal).catch(() => undefined);
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { env, sink, metrics, log } = this.#options;
    const startedAt = env.clock.monotonic();
    if (startedAt - this.#listedAt < RELIST_REST_MS) await this.#relist.wait(signal);
    else this.#relist.reset();
    const state = await this.#state(signal);
    // After a stop of the informer nothing is delivered.
    signal.throwIfAborted();
    this.#listedAt = env.clock.monotonic();
    metrics.lists.inc();
    metrics.listSeconds.observe((this.#listedAt - startedAt) / 1000);
    sink.replace(state);
    this.#position = state.resourceVersion;
    log.debug(2, 'state read', { items: state.items.length, resourceVersion: state.resourceVersion });
  }

  async #state(signal: AbortSignal): Promise<State<T>> {
    const { env, names, reading, streaming, log } = this.#options;
    if (!streaming.enabled) return await listState(reading, signal);
    try {
      return await streamState(reading, { env, names }, signal);
    } catch (error) {
      if (isRefused(error) || error instanceof DeadlineExceeded) {
        streaming.enabled = false;
        log.info('the server does not support streaming lists', { error });
        return await listState(reading, signal);
      }
      throw error;
    }
  }

  /** One watch, until the server ends it. */
  async #watch(position: string, signal: AbortSignal): Promise<void> {
    const { env, metrics } = this.#options;
    const timeoutSeconds = watchSeconds(env);
    const startedAt = env.clock.monotonic();
    using deadline = withDeadline(signal, env.clock, timeoutSeconds * 1000 + GRACE_MS);
    metrics.watches.inc();
    this.#events = 0;
    try {
      // Waiting here instead of in the loop below also ends when a transport ignores its signal.
      await abortable(this.#follow(position, timeoutSeconds, deadline.signal), deadline.signal);
    } finally {
      const lastedMs = env.clock.monotonic() - startedAt;
      if (this.#events > 0 || lastedMs >= GOOD_WATCH_MS) this.#retry.reset();
      // A server whose history went back, such as after a restored backup, may never reach the version.
      if (this.#events === 0 && lastedMs >= SILENT_MS) this.#position = undefined;
    }
    // Watches that end immediately are repeated with a delay.
    if (env.clock.monotonic() - startedAt < GOOD_WATCH_MS && !signal.aborted) await this.#retry.wait(signal);
  }

  async #follow(position: string, timeoutSeconds: number, signal: AbortSignal): Promise<void> {
    const { reading, sink } = this.#options;
    const { client, selection, keep } = reading;
    const events = client.watch(
      { ...selection, resourceVersion: position, allowBookmarks: true, timeoutSeconds },
      signal,
    );
    for await (const event of events) {
      if (signal.aborted) return;
      sink.apply(event.type === 'BOOKMARK' ? event : { type: event.type, object: keep(event.object) });
      this.#position = event.object.metadata.resourceVersion ?? this.#position;
      this.#events++;
    }
  }
}
