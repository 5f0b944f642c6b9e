import { write } from 'node:fs';

export interface LineWriter {
  /** Queues a line. Never blocks; when the queue is full the line is dropped and counted. */
  write(line: string): void;
  /** Resolves when everything queued so far is written, or cannot be. */
  flush(): Promise<void>;
  /** Lines dropped so far. */
  readonly dropped: number;
}

/** Writes bytes asynchronously and reports the result; the signature of `fs.write` with the descriptor bound. */
export type RawWrite = (chunk: Buffer, done: (error: Error | null, written: number) => void) => void;

export const descriptorWrite =
  (fd: number): RawWrite =>
  (chunk, done) =>
    write(fd, chunk, 0, chunk.length, null, done);

/** Maximum number of queued bytes. Beyond it, lines are dropped so that a slow reader does not stop the server. */
const DEFAULT_BOUND_BYTES = 4 * 1024 * 1024;

/**
 * Writes lines to a file descriptor without ever waiting for its reader: `process.stderr.write` blocks the whole
 * process when a pipe is full. One write is under way at a time, and takes all lines that came in the meantime.
 */
export function lineWriter(rawWrite: RawWrite, boundBytes = DEFAULT_BOUND_BYTES): LineWriter {
  let queue: string[] = [];
  let queuedLength = 0;
  let dropped = 0;
  let reported = 0;
  let busy = false;
  const idle: (() => void)[] = [];

  const settle = (): void => {
    busy = false;
    for (const resolve of idle.splice(0)) resolve();
  };
  const writeAll = (chunk: Buffer): void => {
    rawWrite(chunk, (error, written) => {
      if (error !== null && (error as NodeJS.ErrnoException).code === 'EAGAIN')
        setTimeout(() => writeAll(chunk), 5).unref();
      else if (error === null && written > 0 && written < chunk.length) writeAll(chunk.subarray(written));
      else next();
    });
  };
  const next = (): void => {
    if (queue.length === 0) {
      settle();
      return;
    }
    if (dropped > reported) {
      queue.push(`{"level":"warn","msg":"log lines dropped","count":${dropped - reported}}\n`);
      reported = dropped;
    }
    const chunk = Buffer.from(queue.join(''), 'utf8');
    queue = [];
    queuedLength = 0;
    writeAll(chunk);
  };

  return {
    write(line) {
      if (queuedLength + line.length > boundBytes) {
        dropped++;
        return;
      }
      queue.push(line);
      queuedLength += line.length;
      if (busy) return;
      busy = true;
      queueMicrotask(next);
    },
    flush: () => (busy ? new Promise<void>((resolve) => void idle.push(resolve)) : Promise.resolve()),
    get dropped() {
      return dropped;
    },
  };
}
