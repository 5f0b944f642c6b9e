import { errors } from '@orch/machinery';
import type { BodyDecoder } from '@orch/machinery/http';
import { BodyBuffer } from '@orch/machinery/http';
import { clientGone } from '@orch/request';
import type { BodySource } from './request.ts';

const empty = Buffer.alloc(0);

interface Reading {
  readonly limitBytes: number;
  readonly body: BodyBuffer;
  resolve(body: Buffer): void;
  reject(error: Error): void;
}

/** A consumer of the body stream waits for the next chunk. */
interface Pull {
  resolve(piece: Buffer | undefined): void;
  reject(error: Error): void;
}

/** The body of one request, from the connection to its consumer, or discarded. */
export class BodyReader implements BodySource {
  readonly #decoder: BodyDecoder | undefined;
  readonly #begin: (isFirst: boolean) => void;
  #reading: Reading | undefined;
  #pull: Pull | undefined;
  #failure: Error | undefined;
  #isRead = false;
  #isDropping = false;
  #isBroken = false;

  /**
   * `begin` is called when bytes are first needed, and again whenever the consumer of the stream needs more.
   * Without a decoder the body is empty.
   */
  constructor(decoder: BodyDecoder | undefined, begin: (isFirst: boolean) => void) {
    this.#decoder = decoder;
    this.#begin = begin;
  }

  /** All bytes of the body have been consumed. */
  get isDone(): boolean {
    return this.#decoder?.done ?? true;
  }

  /** The rest is being discarded. */
  get isDiscarding(): boolean {
    return this.#isDropping;
  }

  get isRead(): boolean {
    return this.#isRead;
  }

  /** Whether bytes should be fed as they arrive. */
  get isHungry(): boolean {
    const isWanted = this.#reading !== undefined || this.#pull !== undefined || this.#isDropping;
    return isWanted && !this.isDone && !this.#isBroken;
  }

  /** Reports whether the rest can be discarded by reading at most `maxBytes`. */
  canDiscard(maxBytes: number): boolean {
    if (this.#isBroken) return false;
    return this.isDone || (this.#decoder?.remaining ?? Number.POSITIVE_INFINITY) <= maxBytes;
  }

  read(limitBytes: number): Promise<Buffer> {
    if (this.#isRead) return Promise.reject(new Error('the body of a request can be read only once'));
    this.#isRead = true;
    const decoder = this.#decoder;
    if (decoder === undefined || decoder.done) return Promise.resolve(empty);
    if ((decoder.remaining ?? 0) > limitBytes)
      return Promise.reject(errors.requestEntityTooLarge(limitBytes));
    return new Promise((resolve, reject) => {
      this.#reading = { limitBytes, body: new BodyBuffer(), resolve, reject };
      this.#begin(true);
    });
  }

  /**
   * The body as a stream. Between two chunks nothing is read from the connection beyond its buffer: a slow consumer slows
   * the client down.
   */
  async *stream(): AsyncGenerator<Buffer> {
    if (this.#isRead) throw new Error('the body of a request can be read only once');
    this.#isRead = true;
    for (let isFirst = true; ; isFirst = false) {
      const piece = await this.#next(isFirst);
      if (piece === undefined) return;
      yield piece;
    }
  }

  #next(isFirst: boolean): Promise<Buffer | undefined> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.isDone) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#pull = { resolve, reject };
      this.#begin(isFirst);
    });
  }

  /** Consumes the part of `input` that belongs to the body; returns its length. */
  feed(input: Buffer): number {
    let at = 0;
    while (at < input.length && this.isHungry) {
      const step = this.#decoder?.feed(at === 0 ? input : input.subarray(at));
      if (step === undefined || step === 'malformed') {
        this.fail(errors.badRequest('the chunked encoding of the request body is malformed'));
        break;
      }
      at += step.consumed;
      if (step.content !== undefined) this.#take(step.content);
    }
    if (this.isDone) this.#finish();
    return at;
  }

  /** The reply was sent: pending reads fail. The rest can still be discarded. */
  abandon(): void {
    const waiting = this.#reading ?? this.#pull;
    // Nearly all bodies have been read at this point, and creating an error is expensive.
    if (this.isDone && waiting === undefined) return;
    const failure = clientGone();
    if (!this.isDone) this.#failure ??= failure;
    this.#reading = undefined;
    this.#pull = undefined;
    waiting?.reject(failure);
  }

  /** Fails reading with an error; nothing more can be read. */
  fail(error: Error): void {
    this.#isBroken = true;
    this.#failure ??= error;
    const waiting = this.#reading ?? this.#pull;
    this.#reading = undefined;
    this.#pull = undefined;
    waiting?.reject(error);
  }

  /** Discards the rest of the body, so that the next request can follow. */
  discard(): void {
    this.#isDropping = true;
  }

  #take(content: Buffer): void {
    const pull = this.#pull;
    if (pull !== undefined && content.length > 0) {
      this.#pull = undefined;
      pull.resolve(content);
      return;
    }
    const reading = this.#reading;
    if (reading === undefined) return;
    const { body, limitBytes } = reading;
    if (body.size + content.length > limitBytes) this.fail(errors.requestEntityTooLarge(limitBytes));
    else body.add(content);
  }

  #finish(): void {
    const pull = this.#pull;
    this.#pull = undefined;
    pull?.resolve(undefined);
    const reading = this.#reading;
    if (reading === undefined) return;
    this.#reading = undefined;
    reading.resolve(reading.body.bytes());
  }
}
