import {
  type ApiObject,
  abortable,
  Backoff,
  DeadlineExceeded,
  type Env,
  type Logger,
  type Names,
  withDeadline,
} from '@orch/machinery';
import type { WatchEvent } from '../rest/types.ts';
import { faultOf, isExpired, isRefused } from './faults.ts';
import type { InformerMetrics } from './informer-metrics.ts';
import { listState, type Reading, type State, streamState } from './initial-state.ts';

/** Where a reflector writes what it sees. */
export interface Sink<T extends ApiObject> {
  /** Everything that there is; what is not among it is gone. */
  replace(state: State<T>): void;
  /** A change after what was said so far. Bookmarks included: they only move the resourceVersion. */
  apply(event: WatchEvent<T>): void;
}

/** Whether states are read by streaming lists; turned off for good by the first server that refuses one. */
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
}

/** Watches are asked to end after this long, and by chance up to twice as long, so that not all end at once. */
const WATCH_SECONDS = 300;
/** A watch that has not ended this long after it should have has lost its server. */
const GRACE_MS = 30_000;
/** A watch that lasted this long was a good one, also if it had nothing to say. */
const GOOD_WATCH_MS = 10_000;
/** Working servers send bookmarks about every minute: one that says nothing for this long may have lost its history. */
const SILENT_MS = 120_000;
/** Lists that follow each other faster than this are spread by waits that grow. */
const RELIST_REST_MS = 60_000;
const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 10_000;

/**
 * Keeps a sink as the server is: reads the state, then watches from there, resumes where a watch has ended, and reads
 * the state again when that is not possible. Failures change nothing but how long the next try waits.
 */
export class Reflector<T extends ApiObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #retry: Backoff;
  readonly #relist: Backoff;
  #listedAt = Number.NEGATIVE_INFINITY;
  /** Where the next watch begins; undefined when the state must be read first. */
  #position: string | undefined;
  /** What the watch under way has said so far. */
  #said = 0;

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

  /** Logs, counts and waits. Never rejects. */
  async #failed(step: 'list' | 'watch', error: unknown, signal: AbortSignal): Promise<void> {
    const { log, metrics } = this.#options;
    const fault = faultOf(error);
    metrics.failed(step, fault);
    // A state that has gone out of reach is part of the protocol, not a failure of anything.
    if (isExpired(error)) log.info('history is gone, reading the state again', { step });
    else log.warn(`${step} failed, trying again`, { fault, failures: this.#retry.failures + 1, error });
    if (isExpired(error)) this.#position = undefined;
    await this.#retry.wait(signal).catch(() => undefined);
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { env, sink, metrics, log } = this.#options;
    const startedAt = env.clock.monotonic();
    if (startedAt - this.#listedAt < RELIST_REST_MS) await this.#relist.wait(signal);
    else this.#relist.reset();
    const state = await this.#state(signal);
    // Whoever stopped the informer meanwhile hears of nothing more.
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
        log.info('the server has no streaming lists', { error });
        return await listState(reading, signal);
      }
      throw error;
    }
  }

  /** One watch, until the server ends it. */
  async #watch(position: string, signal: AbortSignal): Promise<void> {
    const { env, metrics } = this.#options;
    const timeoutSeconds = WATCH_SECONDS + env.random.int(WATCH_SECONDS + 1);
    const startedAt = env.clock.monotonic();
    using deadline = withDeadline(signal, env.clock, timeoutSeconds * 1000 + GRACE_MS);
    metrics.watches.inc();
    this.#said = 0;
    try {
      // Waiting here, and not in the loop below, also ends when a transport does not heed its signal.
      await abortable(this.#follow(position, timeoutSeconds, deadline.signal), deadline.signal);
    } finally {
      const lastedMs = env.clock.monotonic() - startedAt;
      if (this.#said > 0 || lastedMs >= GOOD_WATCH_MS) this.#retry.reset();
      // A server whose history went back (restored from a backup) waits for a version that it may never reach.
      if (this.#said === 0 && lastedMs >= SILENT_MS) this.#position = undefined;
    }
    // A server that ends watches as soon as they begin is not asked again and again without a pause.
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
      this.#said++;
    }
  }
}
