import type { Transferable } from 'node:worker_threads';
import type { Cancel, Clock, Logger } from '@orch/machinery';
import { type Revision, StoreError } from '../../store.ts';
import type { Request, WriterSettings } from './protocol.ts';
import { type Answer, WriterClient } from './writer-client.ts';

export interface WriterSupervisorOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly url: URL;
  readonly settings: WriterSettings;
  /** A thread has opened the store, at `rev`: more than was acknowledged when the one before died after a commit. */
  readonly ready: (rev: Revision) => void;
  /** The store has become full, or has room again. */
  readonly space: (isFull: boolean) => void;
}

/** Pause before a thread that died is replaced. */
const RESTART_MS = 1000;

/** A thread that has not closed its files by then is ended by force. */
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

  /** Lets the thread finish what it was sent, and waits for its end. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#cancelRestart?.();
    try {
      await this.#client?.close(this.#options.clock, CLOSE_MS);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#options.log.warn('the embedded store was not closed cleanly', { error: message });
    }
  }

  #start(): void {
    const { url, settings, log, ready, space } = this.#options;
    this.#client = new WriterClient(url, settings, {
      ready: (rev) => {
        if (!this.#closing) ready(rev);
      },
      warning: (message) => log.warn('the embedded store will try again', { error: message }),
      space,
      died: (cause) => this.#died(cause),
    });
  }

  #died(cause: Error): void {
    this.#client = undefined;
    if (this.#closing) return;
    const { clock, log } = this.#options;
    log.error('the embedded store lost its writer thread and starts another', { error: cause.message });
    this.#cancelRestart = clock.schedule(RESTART_MS, () => this.#start());
  }
}
