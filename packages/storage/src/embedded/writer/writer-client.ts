import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads';
import { type Cancel, type Clock, type Logger, messageOf } from '@orch/machinery';
import { StoreError } from '../../store.ts';
import type { Request } from './protocol.ts';
import { type Answer, type RequestEvents, SentRequests, type WriterLink } from './sent-requests.ts';
import type { StartedThread } from './started-thread.ts';

/** Called in the order of the events in the thread. */
export interface WriterEvents extends RequestEvents {
  warning(message: string): void;
  /** The thread has exited; unanswered requests were rejected. */
  died(cause: Error): void;
}

/** The side of one writer thread in the thread that has opened the store. It is not restarted: the owner creates another client. */
export class WriterClient {
  readonly #thread: StartedThread;
  readonly #sent: SentRequests;

  constructor(thread: StartedThread, events: WriterEvents) {
    this.#thread = thread;
    this.#sent = new SentRequests(thread, events);
    void thread.ended.then((cause) => {
      this.#sent.fail(cause);
      events.died(cause);
    });
  }

  /**
   * Resolves with the answer. Rejects with the error of the request; with `outcomeUnknown` when the thread exited
   * before it answered.
   */
  send(request: Request, transfer: Transferable[] = []): Promise<Answer> {
    return this.#sent.send(request, transfer);
  }

  /** A port over which another thread sends requests; it closes when the writer thread exits. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#thread.postMessage({ type: 'connect', port: port1 } satisfies Request, [port1]);
    return port2;
  }

  /**
   * Closes the database after everything sent before; resolves when the thread has exited. After `limitMs` it is
   * terminated, which leaves the files as a crash does.
   */
  async close(clock: Clock, limitMs: number): Promise<void> {
    const cancel = clock.schedule(limitMs, () => this.#thread.terminate());
    try {
      await this.#sent.sendLast({ type: 'close' });
    } finally {
      await this.#thread.ended;
      cancel();
    }
  }
}

export interface WriterSupervisorOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly startThread: () => StartedThread;
  readonly events: RequestEvents;
  /** Called for each writer thread that is started; `connect` opens a port to it, for another thread. */
  readonly started: (connect: () => MessagePort) => void;
}

/** Delay before an exited thread is replaced. */
const RESTART_MS = 1000;

/** A thread that has not closed its files after this time is terminated. */
const CLOSE_MS = 10_000;

/** Keeps one writer thread running. While there is none, requests fail with `unavailable`. */
export class WriterSupervisor implements WriterLink {
  readonly #options: WriterSupervisorOptions;
  #client: WriterClient | undefined;
  #cancelRestart: Cancel | undefined;
  #closing = false;

  constructor(options: WriterSupervisorOptions) {
    this.#options = options;
    this.#start();
  }

  send(request: Request, transfer: Transferable[] = []): Promise<Answer> {
    if (this.#client !== undefined) return this.#client.send(request, transfer);
    return Promise.reject(new StoreError('unavailable', 'the writer thread is being restarted'));
  }

  /** Waits until the thread has completed all requests and exited. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#cancelRestart?.();
    try {
      await this.#client?.close(this.#options.clock, CLOSE_MS);
    } catch (error) {
      const message = messageOf(error);
      this.#options.log.warn('the embedded store was not closed cleanly', { error: message });
    }
  }

  #start(): void {
    const { startThread, log, events, started } = this.#options;
    const client = new WriterClient(startThread(), {
      ...events,
      reached: (progress) => {
        if (!this.#closing) events.reached(progress);
      },
      warning: (message) => log.warn('the embedded store will retry', { error: message }),
      died: (cause) => this.#died(cause),
    });
    this.#client = client;
    started(() => client.connect());
  }

  #died(cause: Error): void {
    this.#client = undefined;
    if (this.#closing) return;
    const { clock, log } = this.#options;
    log.error('the writer thread of the embedded store exited; restarting it', { error: cause.message });
    this.#cancelRestart = clock.schedule(RESTART_MS, () => this.#start());
  }
}
