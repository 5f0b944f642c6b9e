import type { Clock } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';

/** Maximum size of tokens, certificates and keys. */
const MAX_SMALL_BYTES = 1024 * 1024;
const PIECE_BYTES = 16 * 1024;
/** Maximum size of a client configuration, with thousands of clusters. */
export const MAX_CONFIG_BYTES = 10 * 1024 * 1024;
const CONFIG_READ_MS = 10_000;
const POLL_MS = 10;

/** Reads a token, certificate or key. Errors do not contain the content. */
export function readSmallFile(path: string): string {
  // Modules of the runtime are loaded on first use, so that the client loads quickly.
  const { closeSync, constants, fstatSync, openSync, readSync } = process.getBuiltinModule('node:fs');
  // Opening a pipe without a writer would block the process.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`${path} is not a regular file`);
    const chunks: Buffer[] = [];
    for (let left = MAX_SMALL_BYTES + 1; left > 0; ) {
      const chunk = Buffer.alloc(Math.min(PIECE_BYTES, left));
      const length = readSync(descriptor, chunk, 0, chunk.length, null);
      if (length === 0) return Buffer.concat(chunks).toString('utf8');
      chunks.push(chunk.subarray(0, length));
      left -= length;
    }
    throw new Error(`${path} is longer than ${MAX_SMALL_BYTES} bytes`);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a client configuration file or pipe, within ten seconds. Undefined when it does not exist. */
export async function readConfigFile(path: string, clock: Clock): Promise<Uint8Array | undefined> {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs');
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  if (status.isFile() && status.size <= MAX_CONFIG_BYTES) return readFileSync(path);
  using deadline = withDeadline(new AbortController().signal, clock, CONFIG_READ_MS);
  return await contentOfStream(path, status.isFIFO(), deadline.signal);
}

/**
 * Reads a pipe or device until its end. The process reads again and again: a thread that waits for a writer cannot be cancelled, and the
 * process would not end before it.
 */
async function contentOfStream(path: string, isPipe: boolean, signal: AbortSignal): Promise<Uint8Array> {
  const { closeSync, constants, openSync } = process.getBuiltinModule('node:fs');
  const { setTimeout: sleep } = process.getBuiltinModule('node:timers/promises');
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    // A pipe without a writer reads as if it had ended.
    let mayEnd = !isPipe;
    while (true) {
      signal.throwIfAborted();
      const chunk = readPiece(descriptor);
      if (chunk?.length === 0 && mayEnd) return Buffer.concat(chunks);
      if (chunk === undefined || chunk.length > 0) mayEnd = true;
      if (chunk === undefined || chunk.length === 0) await sleep(POLL_MS);
      else chunks.push(chunk);
      length += chunk?.length ?? 0;
      if (length > MAX_CONFIG_BYTES) throw new Error(`longer than ${MAX_CONFIG_BYTES} bytes`);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The next bytes: none at the end, undefined when there are none yet. */
function readPiece(descriptor: number): Buffer | undefined {
  const { readSync } = process.getBuiltinModule('node:fs');
  const chunk = Buffer.alloc(PIECE_BYTES);
  try {
    return chunk.subarray(0, readSync(descriptor, chunk, 0, chunk.length, null));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
