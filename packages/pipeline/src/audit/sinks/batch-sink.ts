import type { Clock } from '@orch/machinery';
import { type Deferred, deferred, sleep } from '@orch/machinery/concurrency';
import type { AuditEvent, AuditSink } from '../event/types.ts';

export interface BatchOptions {
  /** Maximum number of buffered events; further ones are dropped and counted. */
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  /** Maximum size of a batch, if events report their size; a single event may be larger. */
  readonly maxBatchBytes?:
    | { readonly most: number; readonly sizeOf: (event: AuditEvent) => number }
    | undefined;
  /** Maximum time that an event waits for a batch to fill. */
  readonly maxWaitMs: number;
  /** Batches per second and in a burst; undefined without a limit. */
  readonly throttle?: { readonly perSecond: number; readonly burst: number } | undefined;
}

/** Delivers one batch, with its own retries. Rejects when it gives up. */
export type Deliver = (events: readonly AuditEvent[], signal: AbortSignal) => Promise<void>;

/**
 * Collects events and delivers them in batches, one batch at a time, so that they stay in order. Requests never wait:
 * when the buffer is full, events are dropped.
 */
export class BatchSink implements AuditSink {
  readonly plugin: string;
  readonly isStrict = false;
  readonly #options: BatchOptions;
  readonly #clock: Clock;
  readonly #deliver: Deliver;
  readonly #lost: (count: number, error: unknown) => void;
  readonly #stop = new AbortController();
  #waiting: AuditEvent[] = [];
  #timer: (() => void) | undefined;
  #isSending = false;
  #isClosing = false;
  #idle: Deferred<void> | undefined;
  #credit: number;
  #creditAt: number;

  constructor(
    plugin: string,
    options: BatchOptions,
    parts: {
      readonly clock: Clock;
      readonly deliver: Deliver;
      /** Called with the events of a batch that was given up. */
      readonly lost: (count: number, error: unknown) => void;
    },
  ) {
    this.plugin = plugin;
    this.#options = options;
    this.#clock = parts.clock;
    this.#deliver = parts.deliver;
    this.#lost = parts.lost;
    this.#credit = options.throttle?.burst ?? 0;
    this.#creditAt = parts.clock.monotonic();
  }

  accept(event: AuditEvent): boolean {
    if (this.#isClosing || this.#waiting.length >= this.#options.bufferSize) return false;
    this.#waiting.push(event);
    if (this.#waiting.length >= this.#options.maxBatchSize) this.#flush();
    else this.#timer ??= this.#clock.schedule(this.#options.maxWaitMs, () => this.#flush());
    return true;
  }

  async close(signal: AbortSignal): Promise<void> {
    this.#isClosing = true;
    const abort = (): void => this.#stop.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    this.#flush();
    if (this.#isSending) {
      this.#idle ??= deferred<void>();
      await this.#idle.promise;
    }
    signal.removeEventListener('abort', abort);
  }

  #flush(): void {
    this.#timer?.();
    this.#timer = undefined;
    if (this.#isSending || this.#waiting.length === 0) return;
    this.#isSending = true;
    void this.#send();
  }

  /** Never rejects. */
  async #send(): Promise<void> {
    const { maxBatchSize } = this.#options;
    do {
      const batch = this.#waiting.splice(0, this.#batchLength());
      try {
        if (!this.#isClosing) await this.#throttled();
        await this.#deliver(batch, this.#stop.signal);
      } catch (error) {
        this.#lost(batch.length, error);
      }
    } while (this.#waiting.length >= maxBatchSize || (this.#isClosing && this.#waiting.length > 0));
    this.#isSending = false;
    if (this.#waiting.length > 0)
      this.#timer ??= this.#clock.schedule(this.#options.maxWaitMs, () => this.#flush());
    this.#idle?.resolve();
  }

  /** Number of buffered events in the next batch. */
  #batchLength(): number {
    const { maxBatchSize, maxBatchBytes } = this.#options;
    const most = Math.min(maxBatchSize, this.#waiting.length);
    if (maxBatchBytes === undefined) return most;
    let bytes = 0;
    for (const [at, event] of this.#waiting.slice(0, most).entries()) {
      bytes += maxBatchBytes.sizeOf(event);
      if (bytes > maxBatchBytes.most) return Math.max(at, 1);
    }
    return most;
  }

  /** Token bucket for batches. */
  async #throttled(): Promise<void> {
    const { throttle } = this.#options;
    if (throttle === undefined) return;
    const now = this.#clock.monotonic();
    const gained = ((now - this.#creditAt) / 1000) * throttle.perSecond;
    this.#credit = Math.min(throttle.burst, this.#credit + gained) - 1;
    this.#creditAt = now;
    if (this.#credit < 0)
      await sleep(this.#clock, (-this.#credit / throttle.perSecond) * 1000, this.#stop.signal);
  }
}
