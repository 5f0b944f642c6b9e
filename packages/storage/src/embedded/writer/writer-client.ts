import { type Transferable, Worker } from 'node:worker_threads';
import { type Cancel, type Clock, type Logger, messageOf } from '@orch/machinery';
import { type Revision, StoreError } from '../../store.ts';
import type { Reply, Request, WriterSettings } from './protocol.ts';

export type Answer = Exclude<
  Reply,
  { type: 'ready' } | { type: 'warning' } | { type: 'space' } | { type: 'failed' }
>;

/** Called in the order of the events in the thread. */
export interface WriterEvents {
  /** The thread has opened the store, for the first time or after a restart. */
  ready(rev: number): void;
  warning(message: string): void;
  /** The store has become full, or has space again. */
  space(isFull: boolean): void;
  /** The thread has exited; unanswered requests were rejected. */
  died(cause: Error): void;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: StoreError): void;
}

/** The main thread's side of one writer thread. It is not restarted: the owner creates another client. */
export class WriterClient {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #cause: Error | undefined;
  #closing = false;

  constructor(url: URL, settings: WriterSettings, events: WriterEvents) {
    this.#worker = new Worker(url, { workerData: settings, name: 'embedded store', stdin: false });
    this.#worker.on('message', (reply: Reply) => this.#receive(reply, events));
    this.#worker.on('error', (error) => {
      this.#cause = error instanceof Error ? error : new Error(String(error));
    });
    this.#worker.on('exit', (code) => this.#exited(code, events));
  }

  /**
   * Resolves with the answer. Rejects with the error of the request; with `outcomeUnknown` when the thread exited
   * before it answered.
   */
  send(request: Request, transfer: Transferable[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      // An idle store must not keep the process alive; pending requests must.
      if (this.#waiting.length === 1) this.#worker.ref();
      this.#worker.postMessage(request, transfer);
    });
  }

  /**
   * Closes the database after everything sent before; resolves when the thread has exited. After `limitMs` it is
   * terminated, which leaves the files as a crash does.
   */
  async close(clock: Clock, limitMs: number): Promise<void> {
    this.#closing = true;
    const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    const cancel = clock.schedule(limitMs, () => void this.#worker.terminate());
    try {
      await this.send({ type: 'close' });
    } finally {
      await exited;
      cancel();
    }
  }

  #receive(reply: Reply, events: WriterEvents): void {
    if (reply.type === 'ready') {
      this.#unrefWhenIdle();
      events.ready(reply.rev);
      return;
    }
    if (reply.type === 'warning') {
      events.warning(reply.message);
      return;
    }
    if (reply.type === 'space') {
      events.space(reply.isFull);
      return;
    }
    const waiting = this.#waiting.shift();
    this.#unrefWhenIdle();
    if (reply.type === 'failed') waiting?.reject(new StoreError(reply.code, reply.message));
    else waiting?.resolve(reply);
  }

  #unrefWhenIdle(): void {
    if (this.#waiting.length === 0 && !this.#closing) this.#worker.unref();
  }

  #exited(code: number, events: WriterEvents): void {
    const cause = this.#cause ?? new Error(`the writer thread exited with code ${code}`);
    const unanswered = this.#waiting.splice(0);
    for (const waiting of unanswered) {
      waiting.reject(new StoreError('outcomeUnknown', 'the writer thread died', { cause }));
    }
    events.died(cause);
  }
}

export interface WriterSupervisorOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly url: URL;
  readonly settings: WriterSettings;
  /**
   * A thread has opened the store, at `rev`: later than the last acknowledged revision when the thread before exited
   * after a commit.
   */
  readonly ready: (rev: Revision) => void;
  /** The store has become full, or has space again. */
  readonly space: (isFull: boolean) => void;
}

/** Delay before an exited thread is replaced. */
const RESTART_MS = 1000;

/** A thread that has not closed its files after this time is terminated. */
const CLOSE_MS = 10_000;

/** Keeps one writer thread running. While there is none, requests fail with `unavailable`. */
export class WriterSupervisor {
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
    const { url, settings, log, ready, space } = this.#options;
    this.#client = new WriterClient(url, settings, {
      ready: (rev) => {
        if (!this.#closing) ready(rev);
      },
      warning: (message) => log.warn('the embedded store will retry', { error: message }),
      space,
      died: (cause) => this.#died(cause),
    });
  }

  #died(cause: Error): void {
    this.#client = undefined;
    if (this.#closing) return;
    const { clock, log } = this.#options;
    log.error('the writer thread of the embedded store exited; restarting it', { error: cause.message });
    this.#cancelRestart = clock.schedule(RESTART_MS, () => this.#start());
  }
}
