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

/** The body of an answer, to be read once or abandoned. */
export interface LocalBody extends AsyncIterable<Uint8Array> {
  /** Gives back what the body holds, unless it has been read to its end. */
  abandon(): void;
}

/** What ends with a body. */
export interface Disposal {
  readonly request: ApiRequest;
  readonly draining: AbortSignal;
  readonly log: Logger;
  /** Called once, when nothing more comes. */
  readonly over: () => void;
}

/** A reader is asked to catch up beyond as many bytes, and cut off beyond the second number. */
const highWaterBytes = 64 * 1024;
const maxUnreadBytes = 16 * 1024 * 1024;

/** Makes of a reply what a client in the same process reads. */
export function localBody(reply: Reply, disposal: Disposal): LocalBody {
  switch (reply.kind) {
    case 'bytes':
      disposal.over();
      return bytesBody(disposal.request.method === 'HEAD' ? noBytes : reply.body);
    case 'chunks':
      return chunksBody(reply, disposal);
    case 'stream':
      return streamBody(reply, disposal);
    case 'upgrade':
      // A local request never says that it wants another protocol.
      reply.abandon();
      disposal.over();
      throw new TypeError('a local request cannot change its protocol');
  }
}

const noBytes = Buffer.alloc(0);

const bytesBody = (bytes: Buffer): LocalBody => ({
  abandon: () => undefined,
  async *[Symbol.asyncIterator]() {
    if (bytes.length > 0) yield bytes;
  },
});

/** Takes from the reply only what is asked for. */
function chunksBody(reply: ChunksReply, { request, over }: Disposal): LocalBody {
  const { chunks } = reply;
  const iterator =
    Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  let sent = 0;
  let isOver = false;
  const finish = (isComplete: boolean): void => {
    if (isOver) return;
    isOver = true;
    request.signal.removeEventListener('abort', abandon);
    if (!isComplete) void iterator.return?.();
    reply.onSent?.(sent, isComplete);
    over();
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
          if (isOver) throw brokenOff(request.signal.reason);
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

/** Runs the reply beside its reader, a bounded number of bytes ahead. */
function streamBody(reply: StreamReply, { request, draining, log, over }: Disposal): LocalBody {
  const queue = new ByteQueue(() => request.cancel(new Error('the reader is too far behind')));
  const onAbort = (): void => queue.fail(brokenOff(request.signal.reason));
  if (request.signal.aborted) onAbort();
  else request.signal.addEventListener('abort', onAbort, { once: true });
  const run = async (): Promise<void> => {
    try {
      await reply.run(queue, { signal: request.signal, draining });
      queue.end();
    } catch (error) {
      if (!request.signal.aborted) log.error('a reply broke off', { requestId: request.id, error });
      queue.fail(brokenOff(error));
    } finally {
      request.signal.removeEventListener('abort', onAbort);
      over();
    }
  };
  void run();
  const abandon = (): void => {
    queue.fail(brokenOff(undefined));
    request.cancel(clientGone());
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

const brokenOff = (cause: unknown): Error =>
  new Error(`the answer broke off: ${messageOf(cause ?? 'it was given up')}`, { cause });

/** What a streaming reply has written and nobody has read. */
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
      if (this.#bytes > maxUnreadBytes) this.#cut();
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

  /** What is unread is lost. */
  fail(error: Error): void {
    if (this.#end !== undefined) return;
    this.#unread = [];
    this.#bytes = 0;
    this.#finish(error);
  }

  /** Everything unread, as soon as there is something; undefined at the end. */
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

  /** Nobody is behind where nobody reads any more. */
  #isOpen(): boolean {
    return this.#bytes < highWaterBytes || this.#end !== undefined;
  }
}
