import type { Clock } from '@orch/machinery';
import { abortable, withDeadline } from '@orch/machinery/concurrency';

/** Maximum size of tokens, certificates and keys. */
const MAX_SMALL_BYTES = 1024 * 1024;
const PIECE_BYTES = 16 * 1024;
/** Maximum size of a client configuration, with thousands of clusters. */
export const MAX_CONFIG_BYTES = 10 * 1024 * 1024;
const CONFIG_READ_MS = 10_000;

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
  using deadline = withDeadline(new AbortController().signal, clock, CONFIG_READ_MS);
  try {
    // The opening of a pipe without a writer cannot be cancelled, so that only the wait ends.
    return await abortable(contentOf(path, deadline.signal), deadline.signal);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function contentOf(path: string, signal: AbortSignal): Promise<Uint8Array> {
  const { createReadStream, readFileSync, statSync } = process.getBuiltinModule('node:fs');
  // Streams take longer to load than a usual configuration to read.
  const status = statSync(path);
  if (status.isFile() && status.size <= MAX_CONFIG_BYTES) return readFileSync(path);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_CONFIG_BYTES) throw new Error(`longer than ${MAX_CONFIG_BYTES} bytes`);
  }
  return Buffer.concat(chunks);
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
