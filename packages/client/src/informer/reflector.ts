import type { ApiObject, Env, Logger, Names } from '@orch/machinery';
import { abortable, Backoff, DeadlineExceeded } from '@orch/machinery/concurrency';
import type { Stored, WatchEvent, WatchOptions } from '../rest/types.ts';
import { faultOf, isExpired, isRefused } from './faults.ts';
import type { InformerMetrics } from './informer-metrics.ts';
import { listState, type Reading, type State, streamedState } from './initial-state.ts';
import { OpenWatch } from './open-watch.ts';
import { FIRST_WAIT_MS, GOOD_WATCH_MS, MAX_WAIT_MS, SILENT_MS, watchSeconds } from './watch-limits.ts';

/** The target of a reflector. */
export interface Sink<T extends ApiObject> {
  /** Replaces the content by a complete state. */
  replace(state: State<T>): void;
  /** Applies a change after the current state. Bookmarks only change the resourceVersion. */
  apply(event: WatchEvent<Stored<T>>): void;
}

/** Whether the state is read by watches with initial events; disabled for good by a server without support. */
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
  /** The watch whose initial events were the state. */
  #opened: OpenWatch<T> | undefined;
  /** Whether the next state is read by a list: a stream was interrupted, and might be again. */
  #prefersList = false;
  /** The number of events that the current watch has delivered. */
  #events = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#retry = new Backoff(options.env, FIRST_WAIT_MS, MAX_WAIT_MS);
    this.#relist = new Backoff(options.env, FIRST_WAIT_MS, MAX_WAIT_MS);
  }

  /** Resolves when the signal aborts, and only then. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#run(signal);
    } finally {
      this.#drop();
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
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
    const { reading, streaming, log } = this.#options;
    if (streaming.enabled && !this.#prefersList) {
      try {
        return await this.#stream(signal);
      } catch (error) {
        this.#prefersList = true;
        if (signal.aborted || !(isRefused(error) || error instanceof DeadlineExceeded)) throw error;
        streaming.enabled = false;
        log.info('the server does not support streaming lists', { error });
      }
    }
    const state = await listState(reading, signal);
    this.#prefersList = false;
    return state;
  }

  /** The initial events of a watch, which goes on with the changes after them. */
  async #stream(signal: AbortSignal): Promise<State<T>> {
    const { reading, names } = this.#options;
    this.#drop();
    this.#opened = this.#open({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }, signal);
    try {
      return await streamedState(this.#opened, reading, names);
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  #open(options: WatchOptions, signal: AbortSignal): OpenWatch<T> {
    const { env, reading } = this.#options;
    const { client, selection } = reading;
    const all = { ...selection, ...options, timeoutSeconds: watchSeconds(env) };
    return new OpenWatch(client, all, { clock: env.clock, signal });
  }

  /** Ends a watch that was opened but is not read. */
  #drop(): void {
    this.#opened?.[Symbol.dispose]();
    this.#opened = undefined;
  }

  /** One watch, until the server ends it. */
  async #watch(position: string, signal: AbortSignal): Promise<void> {
    const { env, metrics } = this.#options;
    using watch = this.#opened ?? this.#open({ resourceVersion: position }, signal);
    this.#opened = undefined;
    const startedAt = env.clock.monotonic();
    metrics.watches.inc();
    this.#events = 0;
    try {
      // Waiting here instead of in the loop below also ends when a transport ignores its signal.
      await abortable(this.#follow(watch), watch.signal);
    } finally {
      const lastedMs = env.clock.monotonic() - startedAt;
      if (this.#events > 0 || lastedMs >= GOOD_WATCH_MS) this.#retry.reset();
      // A server whose history went back, such as after a restored backup, may never reach the version.
      if (this.#events === 0 && lastedMs >= SILENT_MS) this.#position = undefined;
    }
    // Watches that end immediately are repeated with a delay.
    if (env.clock.monotonic() - startedAt < GOOD_WATCH_MS && !signal.aborted) await this.#retry.wait(signal);
  }

  async #follow(watch: OpenWatch<T>): Promise<void> {
    const { reading, sink } = this.#options;
    for await (const event of watch.events()) {
      if (watch.signal.aborted) return;
      sink.apply(
        event.type === 'BOOKMARK' ? event : { type: event.type, object: reading.keep(event.object) },
      );
      this.#position = event.object.metadata.resourceVersion ?? this.#position;
      this.#events++;
    }
  }
}
