import type { Transferable } from 'node:worker_threads';
import { type Cancel, type Clock, type Logger, messageOf } from '@orch/machinery';
import { type Revision, StoreError } from '../../store.ts';
import type { Request, WriterSettings } from './protocol.ts';
import { type Answer, WriterClient } from './writer-client.ts';

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
