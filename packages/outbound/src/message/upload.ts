import type { Writable } from 'node:stream';

/** Streams the body with back-pressure. Ends when the backend has closed. */
export async function upload(
  outgoing: Writable,
  body: AsyncIterable<Buffer>,
  fail: (error: unknown) => void,
): Promise<void> {
  try {
    for await (const piece of body) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(piece)) await written(outgoing);
    }
    if (!outgoing.destroyed) outgoing.end();
  } catch (error) {
    // The client disconnected: a partial request must not look complete.
    outgoing.destroy();
    fail(error);
  }
}

/** Resolves when the written bytes have left the buffer of a stream, or when the stream is closed. */
export const written = (outgoing: Writable): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
    if (outgoing.destroyed) done();
  });
