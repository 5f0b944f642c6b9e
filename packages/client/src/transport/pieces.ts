import type { Readable } from 'node:stream';

/** What a body needs to know about the exchange that it is part of. */
export interface Exchange {
  readonly signal: AbortSignal;
  /** What is wrong after the last piece, or instead of the next one; undefined when the body is whole. */
  fault(cause: unknown): unknown;
  /** Something came in. */
  heard(): void;
  /** Nothing more is wanted: ends the exchange when it has not ended. */
  finish(): void;
}

/** Bytes that wait here for somebody who takes them; the windows of the connection come on top. */
const maxWaitingBytes = 64 * 1024;

/**
 * The pieces of a body, for one reader, taken from the source no faster than they are asked for. They are received from
 * now on, so that an answer which has come is not lost with its connection. Ending the loop early, also before its first
 * round, finishes the exchange.
 */
export function piecesOf(source: Readable, exchange: Exchange): AsyncIterable<Uint8Array> {
  const pieces = new Pieces(source, exchange);
  return { [Symbol.asyncIterator]: () => pieces };
}

type Result = IteratorResult<Uint8Array, undefined>;

const over: Result = Object.freeze({ done: true, value: undefined });

class Pieces implements AsyncIterator<Uint8Array, undefined> {
  readonly #source: Readable;
  readonly #exchange: Exchange;
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  readonly #readers: (() => void)[] = [];
  /** `ended`: everything has come. `broken`: nothing more will. */
  #state: 'open' | 'ended' | 'broken' | 'over' = 'open';
  #cause: unknown;

  constructor(source: Readable, exchange: Exchange) {
    this.#source = source;
    this.#exchange = exchange;
    source.on('data', (piece: Uint8Array) => this.#take(piece));
    source.once('end', () => this.#become('ended'));
    source.on('error', (cause: unknown) => {
      this.#cause ??= cause;
      this.#become('broken');
    });
    source.once('close', () => this.#become('broken'));
  }

  #take(piece: Uint8Array): void {
    this.#exchange.heard();
    this.#waiting.push(piece);
    this.#bytes += piece.byteLength;
    if (this.#bytes >= maxWaitingBytes) this.#source.pause();
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

  /** What there is to say without waiting. */
  #now(): Result | undefined {
    if (this.#state === 'over') return over;
    if (this.#exchange.signal.aborted) return this.#end(this.#exchange.signal.reason, true);
    const piece = this.#waiting.shift();
    if (piece !== undefined) {
      this.#bytes -= piece.byteLength;
      if (this.#bytes < maxWaitingBytes && this.#source.isPaused()) this.#source.resume();
      return { done: false, value: piece };
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
