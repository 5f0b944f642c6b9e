import { availableParallelism } from 'node:os';
import { createGzip, type Gzip, gzip } from 'node:zlib';
import { copyBytes } from '@orch/machinery';
import { Semaphore } from '@orch/machinery/concurrency';
import { acceptsGzip } from '@orch/program';
import { type ApiRequest, type BytesReply, type ChunksReply, PAUSE, type Reply } from '@orch/request';
import { SLICE_BYTES } from './slice-pool.ts';

/** Replies up to this size are not compressed: it would cost more than it saves. */
const THRESHOLD_BYTES = 128 * 1024;

/** Bodies up to this size are compressed at once and may be cached. */
const MAX_CACHED_BYTES = 4 * 1024 * 1024;

const GZIP_LEVEL = 1;

/**
 * Compresses large replies for clients that accept it, on the threads of zlib. The result for a body in one buffer is
 * cached for as long as that buffer is alive, for documents that are sent repeatedly.
 */
export class Compressor {
  readonly #packed = new WeakMap<Buffer, Buffer>();
  readonly #permits: Semaphore;

  /** The threads of zlib compress as many slices at a time as there are permits. By default, they leave a core to the serving thread. */
  constructor(permits = new Semaphore(Math.max(availableParallelism() - 1, 1))) {
    this.#permits = permits;
  }

  /** The compressed reply, or the same one. Streams are never compressed: their events must not be delayed. */
  apply(reply: Reply, request: ApiRequest): Reply | Promise<Reply> {
    if (
      reply.kind === 'stream' ||
      reply.kind === 'upgrade' ||
      reply.status !== 200 ||
      reply.headers['Content-Encoding'] !== undefined
    )
      return reply;
    if (lengthOf(reply) <= THRESHOLD_BYTES) return reply;
    if (request.method === 'HEAD' || !acceptsGzip(request.headers['accept-encoding'])) return varying(reply);
    if (reply.kind === 'chunks') {
      const begun = begin(reply);
      return lengthOf(begun) <= THRESHOLD_BYTES ? begun : packedChunks(begun, request, this.#permits);
    }
    return reply.body.length <= MAX_CACHED_BYTES
      ? this.#onePiece(reply)
      : packedChunks({ ...reply, kind: 'chunks', chunks: slicesOf(reply.body) }, request, this.#permits);
  }

  #onePiece(reply: BytesReply): Reply | Promise<Reply> {
    const headers = { ...varying(reply).headers, 'Content-Encoding': 'gzip' };
    const cached = this.#packed.get(reply.body);
    if (cached !== undefined) return { ...reply, headers, body: cached };
    return new Promise((resolve) => {
      gzip(reply.body, { level: GZIP_LEVEL }, (error, packed) => {
        // On failure the reply is sent uncompressed.
        if (error !== null) resolve(varying(reply));
        else {
          this.#packed.set(reply.body, packed);
          resolve({ ...reply, headers, body: packed });
        }
      });
    });
  }
}

const lengthOf = (reply: BytesReply | ChunksReply): number =>
  reply.kind === 'bytes' ? reply.body.length : (reply.length ?? Number.POSITIVE_INFINITY);

/**
 * Reads slices that are available now up to the threshold: a short body of unknown length, such as a table of few rows, has
 * a known length then and is not compressed.
 */
function begin(reply: ChunksReply): ChunksReply {
  const { chunks } = reply;
  if (reply.length !== undefined || !(Symbol.iterator in chunks)) return reply;
  const source = chunks[Symbol.iterator]();
  const head: Buffer[] = [];
  try {
    for (let length = 0; length <= THRESHOLD_BYTES; ) {
      const next = source.next();
      if (next.done === true) return { ...reply, chunks: head, length };
      head.push(next.value);
      // The rest takes long, and other requests are served before it.
      if (next.value.length === 0) break;
      length += next.value.length;
    }
  } catch (cause) {
    // Reported by the writer of the reply, like an error in a later slice.
    return { ...reply, chunks: resumed(head, failing(cause)) };
  }
  return { ...reply, chunks: resumed(head, source) };
}

const failing = (cause: unknown): Iterator<Buffer> => ({
  next: () => {
    throw cause;
  },
});

function* resumed(head: readonly Buffer[], source: Iterator<Buffer>): Generator<Buffer> {
  try {
    yield* head;
    yield* { [Symbol.iterator]: () => source };
  } finally {
    source.return?.();
  }
}

const varying = <R extends BytesReply | ChunksReply>(reply: R): R => ({
  ...reply,
  headers: { ...reply.headers, Vary: ['Accept-Encoding'].concat(reply.headers['Vary'] ?? []).join(', ') },
});

function packedChunks(reply: ChunksReply, { signal }: ApiRequest, permits: Semaphore): ChunksReply {
  const { length: _unpacked, ...rest } = varying(reply);
  return {
    ...rest,
    headers: { ...rest.headers, 'Content-Encoding': 'gzip' },
    chunks: packed(reply.chunks, signal, permits),
  };
}

function* slicesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += SLICE_BYTES) yield body.subarray(at, at + SLICE_BYTES);
}

/** Passes slices to zlib and yields its output and a pause, one slice at a time, so that neither side runs ahead. */
async function* packed(
  chunks: ChunksReply['chunks'],
  signal: AbortSignal,
  permits: Semaphore,
): AsyncGenerator<Buffer> {
  const stream = createGzip({ level: GZIP_LEVEL, chunkSize: SLICE_BYTES });
  let out: Buffer[] = [];
  let failed: Error | undefined;
  stream.on('data', (piece: Buffer) => out.push(piece));
  stream.on('error', (error) => {
    failed = error;
  });
  try {
    for await (const slice of coalesced(chunks)) {
      signal.throwIfAborted();
      if (slice.length === 0) {
        yield slice;
        continue;
      }
      await permits.run(signal, () => step(stream, (done) => stream.write(slice, done)));
      if (failed !== undefined) throw failed;
      yield* out;
      out = [];
      // The next slice is made in a turn, although what is written of this one is short.
      yield PAUSE;
    }
    await step(stream, (done) => {
      stream.once('end', done);
      stream.end();
    });
    if (failed !== undefined) throw failed;
    yield* out;
  } finally {
    stream.destroy();
  }
}

const step = (stream: Gzip, start: (done: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    stream.once('close', resolve);
    start(() => {
      stream.off('close', resolve);
      resolve();
    });
  });

/**
 * Coalesces small chunks into slices: one call to the threads of zlib per slice. Pauses remain. All slices are in one buffer, which the
 * next one overwrites: to allocate each of them makes the collector run for every few lists.
 */
async function* coalesced(chunks: ChunksReply['chunks']): AsyncGenerator<Buffer> {
  let scratch: Buffer | undefined;
  let filled = 0;
  for await (const chunk of chunks) {
    if (chunk.length === 0) {
      yield chunk;
      continue;
    }
    if (scratch !== undefined && filled + chunk.length > SLICE_BYTES) {
      yield scratch.subarray(0, filled);
      filled = 0;
    }
    if (chunk.length >= SLICE_BYTES) {
      yield chunk;
      continue;
    }
    scratch ??= Buffer.allocUnsafeSlow(SLICE_BYTES);
    copyBytes(chunk, scratch, filled);
    filled += chunk.length;
  }
  if (scratch !== undefined && filled > 0) yield scratch.subarray(0, filled);
}
