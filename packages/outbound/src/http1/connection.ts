import type { Socket } from 'node:net';
import { type DeadlineQueue, disarm, onAbort } from '@orch/machinery/concurrency';
import type { ReceivedAnswer } from '../message/answer.ts';
import { OutboundFailure } from '../message/failures.ts';
import type { OutboundRequest } from '../message/request.ts';
import { Http1Exchange } from './exchange.ts';
import { Http1Heads } from './heads.ts';

export interface Http1ConnectionOptions {
  /** Timeouts for the heads of answers; none when absent. */
  readonly answers: DeadlineQueue | undefined;
  /** Called when another request can be sent, with the number of seconds that the server keeps the connection. */
  readonly onFree: (connection: Http1Connection, keptSeconds: number | undefined) => void;
  readonly onClosed: (connection: Http1Connection) => void;
}

/** A connection over HTTP/1.1 that is kept for further requests: one at a time. */
export class Http1Connection {
  readonly #socket: Socket;
  readonly #options: Http1ConnectionOptions;
  readonly #heads = new Http1Heads();
  #exchange: Http1Exchange | undefined;
  #pending: Buffer | undefined;
  #failure: Error | undefined;
  #isKept = false;

  constructor(socket: Socket, options: Http1ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.once('close', this.#onClose);
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  /**
   * Sends a request and waits for the head of the answer, or for a short one to its end. Rejects with `OutboundFailure`, or with
   * the signal's reason; the connection is closed then.
   */
  request(request: OutboundRequest, signal: AbortSignal): Promise<ReceivedAnswer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) this.destroy();
      signal.throwIfAborted();
      let unregister = (): void => undefined;
      const settled = (): void => {
        unregister();
        disarm(deadline);
      };
      const { answers } = this.#options;
      const exchange = new Http1Exchange(request, {
        socket: this.#socket,
        heads: this.#heads,
        isKept: this.#isKept,
        resolve(answer) {
          settled();
          resolve(answer);
        },
        reject(error) {
          settled();
          reject(error);
        },
      });
      const deadline = answers?.arm(() =>
        this.#fail(new OutboundFailure(`no answer within ${answers.durationMs} ms`)),
      );
      this.#exchange = exchange;
      unregister = onAbort(signal, () => this.#fail(signal.reason));
      try {
        exchange.send();
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  /** Reports whether the connection keeps the process running: not while it carries no request. */
  hold(isHeld: boolean): void {
    if (isHeld) this.#socket.ref();
    else this.#socket.unref();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    const exchange = this.#exchange;
    // Bytes that arrive without a request belong to none.
    if (exchange === undefined || exchange.isReceived) {
      this.destroy();
      return;
    }
    const input = this.#pending === undefined ? chunk : Buffer.concat([this.#pending, chunk]);
    try {
      const rest = exchange.feed(input);
      this.#pending = rest.length === 0 ? undefined : rest;
      if (exchange.isUpgraded) this.#release();
      else if (exchange.isReceived) this.#received(exchange);
    } catch (error) {
      this.#fail(error);
    }
  };

  /** The answer is complete. The connection carries another request only when the first was also sent completely. */
  #received(exchange: Http1Exchange): void {
    this.#exchange = undefined;
    const { keptSeconds } = exchange;
    if (!exchange.isOver || this.#pending !== undefined || keptSeconds === 0) {
      this.destroy();
      return;
    }
    // The end of the connection is noticed while it is unused.
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#isKept = true;
    this.#options.onFree(this, keptSeconds);
  }

  readonly #onError = (error: Error): void => {
    this.#failure ??= error;
  };

  /** Leaves the socket to the receiver of an upgrade: paused, so that no byte is lost. */
  #release(): void {
    const socket = this.#socket;
    this.#exchange = undefined;
    socket.pause();
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('close', this.#onClose);
  }

  readonly #onEnd = (): void => {
    this.#exchange?.end();
    this.destroy();
  };

  readonly #onClose = (): void => {
    this.#options.onClosed(this);
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.fail(exchange.closed(this.#failure));
  };

  #fail(error: unknown): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.fail(error);
    this.destroy();
  }
}
