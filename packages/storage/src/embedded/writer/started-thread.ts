import { Worker } from 'node:worker_threads';
import type { WriterSettings } from './protocol.ts';
import type { WriterPort } from './sent-requests.ts';

/** A thread that writes one store, for the thread that has opened it. */
export interface StartedThread extends WriterPort {
  /** Resolves with the cause when the thread accepts no more requests: it has closed the store, or has ended. */
  readonly ended: Promise<Error>;
  /** Ends it, which leaves the files as a crash does. */
  terminate(): void;
}

/** Starts a thread that ends with its store. */
export function startOwnThread(url: URL, settings: WriterSettings): StartedThread {
  const worker = new Worker(url, { workerData: settings, name: 'embedded store', stdin: false });
  let cause: Error | undefined;
  worker.on('error', (error) => {
    cause = error instanceof Error ? error : new Error(String(error));
  });
  const ended = new Promise<Error>((resolve) => {
    worker.on('exit', (code) => resolve(cause ?? new Error(`the writer thread exited with code ${code}`)));
  });
  return Object.assign(worker, { ended });
}
