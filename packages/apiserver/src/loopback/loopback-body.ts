import { type Logger, messageOf } from '@orch/machinery';
import {
  type ApiRequest,
  type BodySink,
  type ChunksReply,
  chunkPayload,
  clientGone,
  type Reply,
  type StreamReply,
} from '@orch/request';

/** The body of a response; the reader reads it once or abandons it. */
export interface LoopbackBody extends AsyncIterable<Uint8Array> {
  /** Releases the resources of the body, unless it has been read to its end. */
  abandon(): void;
}

/** The request of a body, and what its end releases. */
export interface Disposal {
  readonly request: ApiRequest;
  readonly draining: AbortSignal;
  readonly log: Logger;
  /** Called once, when the body has ended or was abandoned. */
  readonly onEnd: () => void;
}

/** Unread bytes from which on a stream has to wait for its reader. */
const HIGH_WATER_BYTES = 64 * 1024;
/** Unread bytes beyond which the request is cancelled. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** Converts a reply to a body that a client in the same process reads. */
export function loopbackBody(reply: Reply, disposal: Disposal): LoopbackBody {
  switch (reply.kind) {
    case 'bytes':
      disposal.onEnd();
      return bytesBody(disposal.request.method === 'HEAD' ? noBytes : reply.body);
    case 'chunks':
      return chunksBody(reply, disposal);
    case 'stream':
      return streamBody(reply, disposal);
    case 'upgrade':
      // A loopback request has no field `Upgrade`.
      reply.abandon();
      disposal.onEnd();
      throw new TypeError('a loopback request cannot upgrade its protocol');
  }
}

const noBytes = Buffer.alloc(0);

const bytesBody = (bytes: Buffer): LoopbackBody => ({
  abandon: () => undefined,
  async *[Symbol.asyncIterator]() {
    if (bytes.length > 0) yield bytes;
  },
});

/** Reads the reply only as far as the reader does. */
function chunksBody(reply: ChunksReply, { request, onEnd }: Disposal): LoopbackBody {
  const { chunks } = reply;
  const iterator =
    Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  let sent = 0;
  let hasEnded = false;
  const finish = (isComplete: boolean): void => {
    if (hasEnded) return;
    hasEnded = true;
    request.signal.removeEventListener('abort', abandon);
    if (!isComplete) void iterator.return?.();
    reply.onSent?.(sent, isComplete);
    onEnd();
  };
  const abandon = (): void => finish(false);
  if (request.method === 'HEAD') finish(true);
  else if (request.signal.aborted) abandon();
  else request.signal.addEventListener('abort', abandon, { once: true });
  return {
    abandon,
    async *[Symbol.asyncIterator]() {
      if (request.method === 'HEAD') return;
      try {
        for (;;) {
          if (hasEnded) throw incomplete(request.signal.reason);
          const step = await iterator.next();
          if (step.done === true) return finish(true);
          sent += step.value.length;
          yield step.value;
        }
      } finally {
        finish(false);
      }
    },
  };
}

/** Runs the reply concurrently with its reader, a bounded number of bytes ahead. */
function streamBody(reply: StreamReply, { request, draining, log, onEnd }: Disposal): LoopbackBody {
  const queue = new ByteQueue(() => request.cancel(new Error('the reader is too far behind')));
  const onAbort = (): void => queue.fail(request.signal.reason);
  if (request.signal.aborted) onAbort();
  else request.signal.addEventListener('abort', onAbort, { once: true });
  const run = async (): Promise<void> => {
    try {
      await reply.run(queue, { signal: request.signal, draining });
      queue.end();
    } catch (error) {
      if (!request.signal.aborted) log.error('a streamed reply failed', { requestId: request.id, error });
      queue.fail(error);
    } finally {
      request.signal.removeEventListener('abort', onAbort);
      onEnd();
    }
  };
  void run();
  const abandon = (): void => {
    queue.fail(undefined);
    if (!request.signal.aborted) request.cancel(clientGone());
  };
  return {
    abandon,
    async *[Symbol.asyncIterator]() {
      let isComplete = false;
      try {
        for (let batch = await queue.next(); batch !== undefined; batch = await queue.next()) yield* batch;
        isComplete = true;
      } finally {
        if (!isComplete) abandon();
      }
    },
  };
}

const incomplete = (cause: unknown): Error =>
  new Error(`the response is incomplete: ${messageOf(cause ?? 'it was abandoned')}`, { cause });

/** Bytes that a streaming reply has written and its reader has not read. */
class ByteQueue implements BodySink {
  readonly #cut: () => void;
  #unread: Buffer[] = [];
  #bytes = 0;
  #end: { readonly error: Error | undefined } | undefined;
  #reader: (() => void) | undefined;
  readonly #writers = new Set<() => void>();

  constructor(cut: () => void) {
    this.#cut = cut;
  }

  write(chunk: Buffer): boolean {
    if (chunk.length > 0 && this.#end === undefined) {
      this.#unread.push(chunk);
      this.#bytes += chunk.length;
      this.#wakeReader();
      if (this.#bytes > MAX_UNREAD_BYTES) this.#cut();
    }
    return this.#isOpen();
  }

  writeFramed(frames: readonly Buffer[]): boolean {
    for (const frame of frames) this.write(chunkPayload(frame));
    return this.#isOpen();
  }

  async drained(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#isOpen()) return;
    await new Promise<void>((resolve, reject) => {
      const release = (): void => {
        this.#writers.delete(release);
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.#writers.delete(release);
        reject(signal.reason);
      };
      this.#writers.add(release);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  end(): void {
    this.#finish(undefined);
  }

  /** Discards unread bytes. Only the first cause is reported. */
  fail(cause: unknown): void {
    if (this.#end !== undefined) return;
    this.#unread = [];
    this.#bytes = 0;
    this.#finish(incomplete(cause));
  }

  /** All unread bytes, once there are any; undefined at the end. */
  async next(): Promise<readonly Buffer[] | undefined> {
    while (this.#unread.length === 0) {
      if (this.#end !== undefined) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#reader = resolve;
      });
    }
    const batch = this.#unread;
    this.#unread = [];
    this.#bytes = 0;
    for (const release of [...this.#writers]) release();
    return batch;
  }

  #finish(error: Error | undefined): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    this.#wakeReader();
    for (const release of [...this.#writers]) release();
  }

  #wakeReader(): void {
    const wake = this.#reader;
    this.#reader = undefined;
    wake?.();
  }

  /** After the end, nothing waits for the reader. */
  #isOpen(): boolean {
    return this.#bytes < HIGH_WATER_BYTES || this.#end !== undefined;
  }
}
