import type { Clock } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';

/** Maximum size of tokens, certificates and keys. */
const MAX_SMALL_BYTES = 1024 * 1024;
const PIECE_BYTES = 16 * 1024;
/** Maximum size of a client configuration, with thousands of clusters. */
export const MAX_CONFIG_BYTES = 10 * 1024 * 1024;
const CONFIG_READ_MS = 10_000;
const POLL_MS = 10;

/** Modules of the runtime are loaded on first use, so that the client loads quickly. */
const fs = (): typeof import('node:fs') => process.getBuiltinModule('node:fs');

/** Reads a token, certificate or key. Errors do not contain the content. */
export function readSmallFile(path: string): string {
  const descriptor = openWithoutWaiting(path);
  try {
    if (!fs().fstatSync(descriptor).isFile()) throw new Error(`${path} is not a regular file`);
    const chunks: Buffer[] = [];
    for (let left = MAX_SMALL_BYTES; left >= 0; ) {
      const chunk = readPiece(descriptor);
      if (!chunk?.length) return Buffer.concat(chunks).toString('utf8');
      chunks.push(chunk);
      left -= chunk.length;
    }
    throw new Error(`${path} is longer than ${MAX_SMALL_BYTES} bytes`);
  } finally {
    fs().closeSync(descriptor);
  }
}

/** Reads a client configuration file or pipe, within ten seconds. Undefined when it does not exist. */
export async function readConfigFile(path: string, clock: Clock): Promise<Uint8Array | undefined> {
  const status = fs().statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  if (status.isFile() && status.size <= MAX_CONFIG_BYTES) return fs().readFileSync(path);
  using deadline = withDeadline(new AbortController().signal, clock, CONFIG_READ_MS);
  return await contentOfStream(path, status.isFIFO(), deadline.signal);
}

/**
 * Reads a pipe or device until its end. The process reads again and again: a thread that waits for a writer cannot be cancelled, and the
 * process would not end before it.
 */
async function contentOfStream(path: string, isPipe: boolean, signal: AbortSignal): Promise<Uint8Array> {
  const { setTimeout: sleep } = process.getBuiltinModule('node:timers/promises');
  const descriptor = openWithoutWaiting(path);
  try {
    const chunks: Buffer[] = [];
    let left = MAX_CONFIG_BYTES;
    // A pipe without a writer reads as if it had ended.
    let mayEnd = !isPipe;
    while (left >= 0) {
      signal.throwIfAborted();
      const chunk = readPiece(descriptor);
      if (chunk?.length) {
        chunks.push(chunk);
        left -= chunk.length;
      } else if (chunk && mayEnd) return Buffer.concat(chunks);
      else await sleep(POLL_MS);
      mayEnd ||= chunk?.length !== 0;
    }
    throw new Error(`longer than ${MAX_CONFIG_BYTES} bytes`);
  } finally {
    fs().closeSync(descriptor);
  }
}

/** Opens a file for reading, which is the mode without further flags. Opening a pipe without a writer would otherwise block the process. */
const openWithoutWaiting = (path: string): number => fs().openSync(path, fs().constants.O_NONBLOCK ?? 0);

/** The next bytes: none at the end, undefined when there are none yet. */
function readPiece(descriptor: number): Buffer | undefined {
  const chunk = Buffer.alloc(PIECE_BYTES);
  try {
    return chunk.subarray(0, fs().readSync(descriptor, chunk, 0, chunk.length, null));
  } catch (error) {
    if (hasCode(error, 'EAGAIN')) return undefined;
    throw error;
  }
}

export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT');

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
