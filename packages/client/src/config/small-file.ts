import { abortable, type Clock, withDeadline } from '@orch/machinery';

/** No token, certificate or key is longer. */
const maxSmallBytes = 1024 * 1024;
const pieceBytes = 16 * 1024;
/** A client configuration with thousands of clusters fits. */
export const maxConfigBytes = 10 * 1024 * 1024;
const configReadMs = 10_000;

/** Reads a token, certificate or key. Throws an Error without the content in it. */
export function readSmallFile(path: string): string {
  // Modules of the runtime are loaded when they are used, so that importing the client costs little.
  const { closeSync, constants, fstatSync, openSync, readSync } = process.getBuiltinModule('node:fs');
  // Opening a pipe that nobody writes to would otherwise stop the whole process.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`${path} is no regular file`);
    const pieces: Buffer[] = [];
    for (let left = maxSmallBytes + 1; left > 0; ) {
      const piece = Buffer.alloc(Math.min(pieceBytes, left));
      const length = readSync(descriptor, piece, 0, piece.length, null);
      if (length === 0) return Buffer.concat(pieces).toString('utf8');
      pieces.push(piece.subarray(0, length));
      left -= length;
    }
    throw new Error(`${path} is longer than ${maxSmallBytes} bytes`);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a client configuration file, which may also be a pipe, within ten seconds. Undefined when there is none. */
export async function readConfigFile(path: string, clock: Clock): Promise<Uint8Array | undefined> {
  using deadline = withDeadline(new AbortController().signal, clock, configReadMs);
  try {
    // Opening a pipe that nobody writes to cannot be ended, only not be waited for.
    return await abortable(contentOf(path, deadline.signal), deadline.signal);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function contentOf(path: string, signal: AbortSignal): Promise<Uint8Array> {
  const { createReadStream } = process.getBuiltinModule('node:fs');
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxConfigBytes) throw new Error(`longer than ${maxConfigBytes} bytes`);
  }
  return Buffer.concat(pieces);
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
