import type { Socket } from 'node:net';
import { onAbort } from '@orch/machinery';
import { AnswerReader, type EndedAnswer } from './answer-reader.ts';
import type { Answer } from './exchange.ts';

/** A connection ended without a byte of an answer: a kept one may have been closed before the request arrived. */
export class NotAnswered extends Error {
  override readonly name = 'NotAnswered';
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** A connection with HTTP/1.1, for one request at a time. */
export class Http1Connection {
  /** Whether it has carried a request. */
  isReused = false;
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  #waiting: Waiting | undefined;
  #hasAnswer = false;
  #failure: Error | undefined;

  constructor(socket: Socket, onClosed: () => void) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('end', () => this.#onEnd());
    socket.on('error', (error) => {
      this.#failure ??= error;
    });
    socket.once('close', () => {
      onClosed();
      this.#fail(
        this.#failure ?? new Error('the service closed the connection before the end of its answer'),
      );
    });
  }

  get isUsable(): boolean {
    return this.#waiting === undefined && this.#socket.writable && this.#socket.readable;
  }

  /** Sends a request of these bytes. Rejects with `NotAnswered`, another error of the connection, or the reason of the signal. */
  exchange(request: Buffer, maxAnswerBytes: number, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const unregister = onAbort(signal, () => {
        this.#settle()?.reject(signal.reason);
        this.destroy();
      });
      this.#waiting = {
        resolve: (answer) => {
          unregister();
          resolve(answer);
        },
        reject: (error) => {
          unregister();
          reject(error);
        },
      };
      this.#hasAnswer = false;
      this.#reader.begin(maxAnswerBytes);
      // An idle connection does not keep the process alive.
      if (this.isReused) this.#socket.ref();
      this.#socket.write(request);
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #onData(chunk: Buffer): void {
    if (this.#waiting === undefined) {
      // Nothing was requested.
      this.destroy();
      return;
    }
    this.#hasAnswer = true;
    try {
      this.#end(this.#reader.feed(chunk));
    } catch (error) {
      this.#settle()?.reject(error);
      this.destroy();
    }
  }

  #onEnd(): void {
    this.#end(this.#reader.end());
    this.destroy();
  }

  #end(ended: EndedAnswer | undefined): void {
    if (ended === undefined) return;
    const waiting = this.#settle();
    this.isReused = true;
    if (ended.isReusable) this.#socket.unref();
    else this.destroy();
    waiting?.resolve(ended.answer);
  }

  #fail(cause: Error): void {
    const error = this.#hasAnswer ? cause : new NotAnswered(cause.message, { cause });
    this.#settle()?.reject(error);
  }

  #settle(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }
}
