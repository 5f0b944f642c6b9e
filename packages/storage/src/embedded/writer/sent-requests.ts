import type { MessagePort, Transferable } from 'node:worker_threads';
import { StoreError } from '../../store.ts';
import type { Progress, Reply, Request } from './protocol.ts';

export type Answer = Extract<Reply, { type: 'committed' } | { type: 'expired' } | { type: 'done' }>;

/** The way of a store to its writer thread. */
export interface WriterLink {
  /** Rejects with the error of the request; with `outcomeUnknown` when it is not known whether it took effect. */
  send(request: Request, transfer?: Transferable[]): Promise<Answer>;
  /** Completes all requests, then ends. */
  close(): Promise<void>;
}

/** Called in the order of the events in the writer thread. */
export interface RequestEvents {
  /**
   * The store has reached a revision by transactions of other threads, or was opened at it: later than the last acknowledged one
   * when the writer thread before exited after a commit. With `isOpened` keys may expire that this thread does not know.
   */
  reached(progress: Progress & { readonly isOpened: boolean }): void;
  /** The store has become full, or has space again. */
  space(isFull: boolean): void;
}

/** A port to the writer thread, or the thread. */
export interface WriterPort extends Pick<MessagePort, 'postMessage' | 'ref' | 'unref'> {
  on(event: 'message', listener: (reply: Reply) => void): unknown;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: StoreError): void;
}

/** The requests that were sent over one port and have no answer. */
export class SentRequests {
  readonly #port: WriterPort;
  readonly #events: RequestEvents & { readonly warning?: (message: string) => void };
  readonly #waiting: Waiting[] = [];
  #isLast = false;

  constructor(port: WriterPort, events: RequestEvents & { readonly warning?: (message: string) => void }) {
    this.#port = port;
    this.#events = events;
    port.on('message', (reply: Reply) => this.#receive(reply));
  }

  send(request: Request, transfer: Transferable[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      // An idle store must not keep the process alive; pending requests must.
      if (this.#waiting.length === 1) this.#port.ref();
      this.#port.postMessage(request, transfer);
    });
  }

  /** Sends a request after which the port closes. */
  sendLast(request: Request): Promise<Answer> {
    this.#isLast = true;
    return this.send(request);
  }

  /** Rejects the requests: the thread has ended. */
  fail(cause: Error): void {
    for (const waiting of this.#waiting.splice(0))
      waiting.reject(new StoreError('outcomeUnknown', 'the writer thread died', { cause }));
  }

  #receive(reply: Reply): void {
    switch (reply.type) {
      case 'ready':
        this.#unrefWhenIdle();
        this.#events.reached({ rev: reply.rev, expires: undefined, isOpened: true });
        break;
      case 'reached':
        this.#events.reached({ ...reply, isOpened: false });
        break;
      case 'warning':
        this.#events.warning?.(reply.message);
        break;
      case 'space':
        this.#events.space(reply.isFull);
        break;
      default:
        this.#answer(reply);
    }
  }

  #answer(reply: Answer | Extract<Reply, { type: 'failed' }>): void {
    const waiting = this.#waiting.shift();
    this.#unrefWhenIdle();
    if (reply.type === 'failed') waiting?.reject(new StoreError(reply.code, reply.message));
    else waiting?.resolve(reply);
  }

  #unrefWhenIdle(): void {
    if (this.#waiting.length === 0 && !this.#isLast) this.#port.unref();
  }
}
