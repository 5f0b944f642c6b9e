import type { WatchEnd, WatchHandle, WatchItem, WatchSink } from '@orch/cache';
import {
  type ApiError,
  type Clock,
  type CounterSeries,
  errors,
  type HistogramSeries,
  type Status,
} from '@orch/machinery';
import { onAbort } from '@orch/machinery/concurrency';
import type { BodySink, StreamSignals } from '@orch/request';
import type { WatchFrames } from '../encode/encodings.ts';

/** Time that a client may read the remaining events after its watch has timed out. */
const DRAIN_GRACE_MS = 5_000;

/** Bytes passed to the socket in one write. */
const WRITE_BYTES = 256 * 1024;

const nothing: readonly WatchItem[] = [];

const historyLost = (): ApiError =>
  errors.expired(
    'too old resource version: the history that this watch resumes from is no longer available; list again',
  );

export interface WatchStreamOptions {
  readonly frames: WatchFrames;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly events: CounterSeries;
  readonly sizes: HistogramSeries;
}

/**
 * Writes the events of one watch from the cache to one client. Holds events that the cache delivers before the client's
 * stream is open or while the client is slow: at most one delivery, since the cache holds back the rest.
 */
export class WatchStream implements WatchSink {
  /** The reason why the watch ended as `expired`, if it is not for lost history. */
  explainLoss: () => ApiError | undefined = () => undefined;
  readonly #options: WatchStreamOptions;
  #handle: WatchHandle | undefined;
  #body: BodySink | undefined;
  #signals: StreamSignals | undefined;
  #finish: (() => void) | undefined;
  #pending: readonly WatchItem[] = nothing;
  #position = 0;
  #blocked = false;
  #paused = false;
  #first = true;
  #ended: WatchEnd | undefined;
  #failure: Status | undefined;
  #closed = false;

  constructor(options: WatchStreamOptions) {
    this.#options = options;
  }

  /** Sets the handle of the cache, after it has accepted the watch. */
  attach(handle: WatchHandle): void {
    this.#handle = handle;
    if (this.#closed) handle.close();
  }

  deliver(items: readonly WatchItem[]): boolean {
    if (this.#closed) return true;
    this.#pending =
      this.#position < this.#pending.length ? [...this.#pending.slice(this.#position), ...items] : items;
    this.#position = 0;
    this.#paused = !this.#write();
    return !this.#paused;
  }

  end(reason: WatchEnd): void {
    this.#ended = reason;
    if (this.#body !== undefined && !this.#blocked && this.#idle()) this.#close();
  }

  /** Ends the watch with an ERROR event after the events that were delivered. */
  fail(status: Status): void {
    this.#failure = status;
    this.end('expired');
  }

  /** Writes events until the client disconnects, the watch times out, or the cache ends it. */
  run(body: BodySink, signals: StreamSignals): Promise<void> {
    return new Promise((resolve) => this.#begin(body, signals, resolve));
  }

  /** Calls `over` at the end. The suspended frame of an asynchronous function would stay in memory as long as the watch. */
  #begin(body: BodySink, signals: StreamSignals, over: () => void): void {
    this.#body = body;
    this.#signals = signals;
    const { clock, timeoutMs } = this.#options;
    const stop = (): void => this.#close();
    let cancel = clock.schedule(timeoutMs, () => drain());
    const drain = (): void => {
      cancel();
      cancel = clock.schedule(DRAIN_GRACE_MS, stop);
      this.#handle?.drain();
    };
    let unregister: (() => void) | undefined;
    this.#finish = () => {
      cancel();
      signals.signal.removeEventListener('abort', stop);
      unregister?.();
      over();
    };
    signals.signal.addEventListener('abort', stop, { once: true });
    if (signals.signal.aborted || this.#closed) this.#close();
    else this.#pump();
    if (!this.#closed) unregister = onAbort(signals.draining, drain);
  }

  /** Closes a watch whose stream was never started. */
  abandon(): void {
    this.#close();
  }

  #idle(): boolean {
    return this.#position >= this.#pending.length;
  }

  /** Writes pending events. False when the client is slow, or its stream is not open yet. */
  #write(): boolean {
    const body = this.#body;
    if (body === undefined || this.#blocked) return false;
    while (!this.#idle()) {
      if (!body.writeFramed(this.#nextFrames())) {
        this.#block(body);
        return false;
      }
    }
    this.#pending = nothing;
    this.#position = 0;
    return true;
  }

  #nextFrames(): readonly Buffer[] {
    let item = this.#next();
    // Most deliveries hold one event.
    if (item !== undefined && this.#idle()) return [this.#frame(item)];
    const batch: Buffer[] = [];
    for (let bytes = 0; item !== undefined; item = bytes < WRITE_BYTES ? this.#next() : undefined) {
      const frame = this.#frame(item);
      bytes += frame.length;
      batch.push(frame);
    }
    return batch;
  }

  #next(): WatchItem | undefined {
    return this.#idle() ? undefined : this.#pending[this.#position++];
  }

  #frame(item: WatchItem): Buffer {
    const { frames, events, sizes } = this.#options;
    const frame =
      item.type === 'BOOKMARK'
        ? frames.bookmark(item.rev, item.initialEventsEnd, this.#first)
        : item.encoded(frames.encoder(this.#first));
    this.#first = false;
    sizes.observe(frame.length);
    events.inc();
    return frame;
  }

  #block(body: BodySink): void {
    const signal = this.#signals?.signal;
    if (signal === undefined) return;
    this.#blocked = true;
    body.drained(signal).then(
      () => {
        this.#blocked = false;
        if (!this.#closed) this.#pump();
      },
      () => this.#close(),
    );
  }

  /** Continues after a pause: with the pending events, then with those that the cache holds back. */
  #pump(): void {
    if (!this.#write()) return;
    if (this.#ended !== undefined) {
      this.#close();
      return;
    }
    if (!this.#paused) return;
    this.#paused = false;
    this.#handle?.resume();
  }

  #writeError(status: Status): void {
    const { frames, events, sizes } = this.#options;
    const frame = frames.error(status);
    sizes.observe(frame.length);
    events.inc();
    this.#body?.writeFramed([frame]);
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#handle?.close();
    const status =
      this.#failure ?? (this.#ended === 'expired' ? (this.explainLoss() ?? historyLost()).status : undefined);
    if (status !== undefined) this.#writeError(status);
    this.#pending = nothing;
    this.#finish?.();
  }
}
