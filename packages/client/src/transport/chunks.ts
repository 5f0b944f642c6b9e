import type { Readable } from 'node:stream';

/** The exchange of a body. */
export interface Exchange {
  readonly signal: AbortSignal;
  /** The error after the last chunk, or instead of the next one; undefined for a complete body. */
  fault(cause: unknown): unknown;
  /** Data was received. */
  onData(): void;
  /** The reader needs no more data: ends the exchange if it has not ended. */
  finish(): void;
}

/** Maximum number of buffered bytes, in addition to the windows of the connection. */
const MAX_WAITING_BYTES = 64 * 1024;

/**
 * The chunks of a body for one reader, received no faster than they are read, apart from a buffer that fills immediately,
 * so that a received response survives its connection. Leaving the loop early, also before its first iteration, ends the
 * exchange.
 */
export function piecesOf(source: Readable, exchange: Exchange): AsyncIterable<Uint8Array> {
  const chunks = new Chunks(source, exchange);
  return { [Symbol.asyncIterator]: () => chunks };
}

type Result = IteratorResult<Uint8Array, undefined>;

const over: Result = Object.freeze({ done: true, value: undefined });

class Chunks implements AsyncIterator<Uint8Array, undefined> {
  readonly #source: Readable;
  readonly #exchange: Exchange;
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  readonly #readers: (() => void)[] = [];
  /** `ended`: the body is complete. `broken`: the body is incomplete, and no data follows. */
  #state: 'open' | 'ended' | 'broken' | 'over' = 'open';
  #cause: unknown;

  constructor(source: Readable, exchange: Exchange) {
    this.#source = source;
    this.#exchange = exchange;
    source.on('data', (chunk: Uint8Array) => this.#take(chunk));
    source.once('end', () => this.#become('ended'));
    source.on('error', (cause: unknown) => {
      this.#cause ??= cause;
      this.#become('broken');
    });
    source.once('close', () => this.#become('broken'));
    if (source.closed) {
      this.#cause = source.errored ?? undefined;
      this.#become('broken');
    }
  }

  #take(chunk: Uint8Array): void {
    this.#exchange.onData();
    this.#waiting.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes >= MAX_WAITING_BYTES) this.#source.pause();
    this.#wake();
  }

  #become(state: 'ended' | 'broken'): void {
    if (this.#state === 'open') this.#state = state;
    this.#wake();
  }

  #wake(): void {
    for (const reader of this.#readers.splice(0)) reader();
  }

  async next(): Promise<Result> {
    for (;;) {
      const result = this.#now();
      if (result !== undefined) return result;
      await new Promise<void>((resolve) => void this.#readers.push(resolve));
    }
  }

  /** The result that is available without waiting. */
  #now(): Result | undefined {
    if (this.#state === 'over') return over;
    if (this.#exchange.signal.aborted) return this.#end(this.#exchange.signal.reason, true);
    const chunk = this.#waiting.shift();
    if (chunk !== undefined) {
      this.#bytes -= chunk.byteLength;
      if (this.#bytes < MAX_WAITING_BYTES && this.#source.isPaused()) this.#source.resume();
      return { done: false, value: chunk };
    }
    if (this.#state === 'open') return undefined;
    const fault = this.#exchange.fault(this.#cause);
    return this.#end(fault, fault !== undefined);
  }

  #end(fault: unknown, isFailed: boolean): Result {
    this.#state = 'over';
    this.#waiting.length = 0;
    this.#exchange.finish();
    this.#source.destroy();
    this.#wake();
    if (isFailed) throw fault;
    return over;
  }

  async return(): Promise<Result> {
    return this.#end(undefined, false);
  }
}
