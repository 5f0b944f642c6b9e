import { Worker } from 'node:worker_threads';
import { type Clock, messageOf } from '@orch/machinery';
import { abortable, aborted } from '@orch/machinery/concurrency';
import { flagsMessage, StartError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import type { FromThread, ThreadInput, ToThread } from './messages.ts';

export interface ServingThreadsOptions {
  readonly flags: ApiServerFlags;
  /** Number of further threads. */
  readonly count: number;
  readonly clock: Clock;
  /** The program of a thread; the source file when absent. */
  readonly url?: URL | undefined;
}

/** Time that a thread has to end after the limit of a shutdown, or after a failure. */
const END_MS = 5_000;

/**
 * The further threads of a process, which serve the API as replicas on the port of the first thread (design 0020).
 */
export class ServingThreads {
  readonly #threads: readonly ServingThread[];

  private constructor(threads: readonly ServingThread[]) {
    this.#threads = threads;
  }

  /** Starts the threads, which load the program and wait for the port. */
  static start({ flags, count, clock, url }: ServingThreadsOptions): ServingThreads {
    const program = url ?? new URL('../serving-thread.ts', import.meta.url);
    const input = flagsMessage(flags);
    return new ServingThreads(
      Array.from({ length: count }, (_, at) => new ServingThread(program, input, { at: at + 2, clock })),
    );
  }

  /** Makes the threads serve on a port. Resolves when all do; rejects with the cause when one of them cannot. */
  async serve(port: number, signal: AbortSignal): Promise<void> {
    for (const thread of this.#threads) thread.send({ type: 'serve', port });
    await abortable(Promise.all(this.#threads.map((thread) => thread.ready)), signal);
  }

  /** Runs until the signal aborts. Rejects with the cause when a thread ends earlier. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.race([aborted(signal), ...this.#threads.map((thread) => thread.failed)]);
  }

  /** Makes the threads complete their requests and end; they are terminated when the signal aborts first. */
  async drain(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.drain(signal)));
  }

  /** Ends the threads that still run, within a few seconds. */
  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }
}

class ServingThread {
  /** Resolves when the thread serves requests. */
  readonly ready: Promise<void>;
  /** Rejects when the thread ends before it was asked to. Never resolves. */
  readonly failed: Promise<never>;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #clock: Clock;
  #isStopping = false;

  constructor(
    program: URL,
    input: ThreadInput,
    { at, clock }: { readonly at: number; readonly clock: Clock },
  ) {
    const name = `serving thread ${at}`;
    this.#clock = clock;
    this.#worker = new Worker(program, { workerData: input, name, stdin: false });
    const ready = Promise.withResolvers<void>();
    const failed = Promise.withResolvers<never>();
    const exited = Promise.withResolvers<void>();
    let cause = 'it ended';
    this.#worker.on('message', (message: FromThread) => {
      if (message.type === 'ready') ready.resolve();
      else cause = message.message;
    });
    this.#worker.on('error', (error) => {
      cause = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
    });
    this.#worker.on('exit', () => {
      exited.resolve();
      const error = new StartError(`${name}: ${cause}`);
      ready.reject(error);
      if (!this.#isStopping) failed.reject(error);
    });
    this.ready = ready.promise;
    this.failed = failed.promise;
    this.#exited = exited.promise;
    for (const promise of [this.ready, this.failed]) promise.catch(() => undefined);
  }

  send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  async drain(signal: AbortSignal): Promise<void> {
    this.#isStopping = true;
    this.send({ type: 'stop' });
    try {
      await abortable(this.#exited, signal);
    } catch {
      await this.end();
    }
  }

  async end(): Promise<void> {
    this.#isStopping = true;
    this.send({ type: 'stop' });
    const cancel = this.#clock.schedule(END_MS, () => void this.#worker.terminate());
    await this.#exited;
    cancel();
  }
}
