import type { WatchEnd, WatchHandle, WatchItem, WatchSink } from '@orch/cache';
import { type Clock, type CounterSeries, errors, type HistogramSeries } from '@orch/machinery';
import type { BodySink, StreamSignals } from '@orch/request';
import type { WatchFrames } from '../encode/encodings.ts';

/** How long a client has to take what is left for it once its time is over. */
const DRAIN_GRACE_MS = 5_000;

/** Bytes handed to the socket at once; more events than that wait for the next write. */
const WRITE_BYTES = 256 * 1024;

const nothing: readonly WatchItem[] = [];

export interface WatchStreamOptions {
  readonly frames: WatchFrames;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly events: CounterSeries;
  readonly sizes: HistogramSeries;
}

/**
 * Carries the events of one watch from the cache to one client. What the cache delivers before the client's stream
 * is open, or while the client is behind, waits here: at most what one delivery brought, the cache holds back the rest.
 */
export class WatchStream implements WatchSink {
  readonly #options: WatchStreamOptions;
  #handle: WatchHandle | undefined;
  #body: BodySink | undefined;
  #signals: StreamSignals | undefined;
  #finish: (() => void) | undefined;
  #waiting: readonly WatchItem[] = nothing;
  #position = 0;
  #blocked = false;
  #paused = false;
  #first = true;
  #ended: WatchEnd | undefined;
  #closed = false;

  constructor(options: WatchStreamOptions) {
    this.#options = options;
  }

  /** The cache's side, known once it has accepted the watch. */
  attach(handle: WatchHandle): void {
    this.#handle = handle;
    if (this.#closed) handle.close();
  }

  deliver(items: readonly WatchItem[]): boolean {
    if (this.#closed) return true;
    this.#waiting =
      this.#position < this.#waiting.length ? [...this.#waiting.slice(this.#position), ...items] : items;
    this.#position = 0;
    this.#paused = !this.#write();
    return !this.#paused;
  }

  end(reason: WatchEnd): void {
    this.#ended = reason;
    if (this.#body !== undefined && !this.#blocked && this.#idle()) this.#close();
  }

  /** Writes events until the client goes, the time is over, or the cache ends the watch. */
  async run(body: BodySink, signals: StreamSignals): Promise<void> {
    this.#body = body;
    this.#signals = signals;
    const over = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    const { clock, timeoutMs } = this.#options;
    const stop = (): void => this.#close();
    let cancel = clock.schedule(timeoutMs, () => drain());
    const drain = (): void => {
      cancel();
      cancel = clock.schedule(DRAIN_GRACE_MS, stop);
      this.#handle?.drain();
    };
    signals.signal.addEventListener('abort', stop, { once: true });
    signals.draining.addEventListener('abort', drain, { once: true });
    if (signals.signal.aborted || this.#closed) this.#close();
    else this.#pump();
    if (signals.draining.aborted) drain();
    try {
      await over;
    } finally {
      cancel();
      signals.signal.removeEventListener('abort', stop);
      signals.draining.removeEventListener('abort', drain);
    }
  }

  /** Gives up a watch whose stream never came to run. */
  abandon(): void {
    this.#close();
  }

  #idle(): boolean {
    return this.#position >= this.#waiting.length;
  }

  /** Writes what waits. False when the client is behind, or not there yet. */
  #write(): boolean {
    const body = this.#body;
    if (body === undefined || this.#blocked) return false;
    while (!this.#idle()) {
      if (!body.writeFramed(this.#nextFrames())) {
        this.#block(body);
        return false;
      }
    }
    this.#waiting = nothing;
    this.#position = 0;
    return true;
  }

  #nextFrames(): readonly Buffer[] {
    let item = this.#next();
    // One at a time is what most deliveries are.
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
    return this.#idle() ? undefined : this.#waiting[this.#position++];
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

  /** Goes on after a pause: what waits first, then what the cache holds back. */
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

  #writeExpired(): void {
    const { frames, events, sizes } = this.#options;
    const { status } = errors.expired(
      'too old resource version: the history that this watch resumes from is no longer kept; list again',
    );
    const frame = frames.error(status);
    sizes.observe(frame.length);
    events.inc();
    this.#body?.writeFramed([frame]);
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#handle?.close();
    if (this.#ended === 'expired') {
      this.#writeExpired();
    }
    this.#waiting = nothing;
    this.#finish?.();
  }
}
