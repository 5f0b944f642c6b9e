import type { Readable } from 'node:stream';

/**
 * The pieces of a body, for one reader; leaving the loop early destroys it. Fails when the body breaks off.
 *
 * The iterator of a stream itself takes one over HTTP/2 for broken off when both ends have closed it before its buffered
 * bytes were read, and fails after the last byte.
 */
export async function* bodyPieces(body: Readable): AsyncGenerator<Buffer> {
  let wake = (): void => undefined;
  const changed = (): void => wake();
  for (const event of events) body.on(event, changed);
  try {
    for (;;) {
      const piece = (body.destroyed ? null : body.read()) as Buffer | null;
      if (piece !== null) yield piece;
      else if (body.readableEnded) return;
      else if (body.destroyed) throw brokenOff(body);
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    // Further errors have no reader: the listener for them stays.
    for (const event of events) if (event !== 'error') body.off(event, changed);
    if (!body.readableEnded) body.destroy();
  }
}

const events = ['readable', 'end', 'error', 'close'] as const;

/** The reason why a body that was destroyed before its end is incomplete. */
export const brokenOff = (body: Readable): Error =>
  body.errored ?? new Error('the connection was closed before the end of the body');
