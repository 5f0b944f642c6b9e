import { MessageChannel, Worker } from 'node:worker_threads';
import { deferred } from '@orch/machinery/concurrency';
import type { OpenRequest, WriterSettings } from './protocol.ts';
import type { StartedThread } from './started-thread.ts';
import { writerProgram } from './writer-program.ts';

/**
 * One thread that writes several stores, for processes that open many: a thread takes 50 ms of CPU time to start. The writes of one
 * store wait for those of the others. It starts with the first store, does not keep the process running, and is started again after a
 * failure, which all its stores notice as the end of their writer.
 */
export class SharedWriterThread {
  readonly #program: URL;
  #worker: Worker | undefined;
  /** Why the last thread has ended. */
  #failure: Error | undefined;

  /** `program` is the entry of the thread. The default is for running from source. */
  constructor(program: URL = writerProgram) {
    this.#program = program;
  }

  /** Opens the store of these settings in the thread. */
  start(settings: WriterSettings): StartedThread {
    const { port1, port2 } = new MessageChannel();
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage({ settings, port: port2 } satisfies OpenRequest, [port2]);
    const ended = deferred<Error>();
    port1.on('close', () => {
      // The error of a thread that has failed may come after the end of its ports.
      setImmediate(() =>
        ended.resolve(this.#failure ?? new Error('the shared writer thread has closed its port')),
      );
    });
    return Object.assign(port1, { ended: ended.promise, terminate: () => port1.close() });
  }

  /** Ends the thread, for the stores that are open as a crash does. */
  async terminate(): Promise<void> {
    await this.#worker?.terminate();
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#program, { name: 'embedded stores', stdin: false });
    worker.unref();
    this.#failure = undefined;
    worker.on('error', (error) => {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }
}
