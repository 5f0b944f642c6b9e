import {
  type ChunksReply,
  CLIENT_GONE_CODE,
  type Reply,
  type StreamReply,
  type UpgradeReply,
} from '@orch/request';
import { MAX_AUDITED_BYTES } from './object-reader.ts';

/** Observer of a reply. */
export interface ReplyWatcher {
  /** Whether the bytes of the reply are needed, up to `MAX_AUDITED_BYTES`. */
  readonly capturesBody: boolean;
  /** The reply of a long-running request begins. */
  started(code: number): void;
  /** The reply has ended. */
  complete(code: number, body?: Buffer): void;
}

/** Reports a reply when it is complete, or when its last byte was sent. */
export function auditedReply(reply: Reply, watcher: ReplyWatcher): Reply {
  switch (reply.kind) {
    case 'bytes':
      watcher.complete(reply.status, watcher.capturesBody ? reply.body : undefined);
      return reply;
    case 'chunks':
      return auditedChunks(reply, watcher);
    case 'stream':
      return auditedStream(reply, watcher);
    case 'upgrade':
      return auditedUpgrade(reply, watcher);
  }
}

function auditedChunks(reply: ChunksReply, watcher: ReplyWatcher): ChunksReply {
  const captured =
    watcher.capturesBody && (reply.length ?? 0) <= MAX_AUDITED_BYTES ? new CapturedBody() : undefined;
  return {
    ...reply,
    chunks: captured === undefined ? reply.chunks : captured.passing(reply.chunks),
    onSent(bytes, isComplete) {
      reply.onSent?.(bytes, isComplete);
      watcher.complete(
        isComplete ? reply.status : CLIENT_GONE_CODE,
        isComplete ? captured?.bytes() : undefined,
      );
    },
  };
}

const auditedStream = (reply: StreamReply, watcher: ReplyWatcher): StreamReply => ({
  ...reply,
  async run(sink, signals) {
    watcher.started(reply.status);
    try {
      await reply.run(sink, signals);
    } finally {
      watcher.complete(reply.status);
    }
  },
});

const auditedUpgrade = (reply: UpgradeReply, watcher: ReplyWatcher): UpgradeReply => ({
  ...reply,
  async run(client, signals) {
    watcher.started(reply.status);
    try {
      await reply.run(client, signals);
    } finally {
      watcher.complete(reply.status);
    }
  },
  abandon() {
    reply.abandon();
    watcher.complete(CLIENT_GONE_CODE);
  },
});

/** Captures streamed bytes up to the limit. */
class CapturedBody {
  #parts: Buffer[] | undefined = [];
  #length = 0;

  /** Adds no asynchronous step to the stream. */
  passing(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Iterable<Buffer> | AsyncIterable<Buffer> {
    return Symbol.asyncIterator in chunks ? this.#passingLater(chunks) : this.#passingNow(chunks);
  }

  bytes(): Buffer | undefined {
    return this.#parts === undefined ? undefined : Buffer.concat(this.#parts);
  }

  *#passingNow(chunks: Iterable<Buffer>): Generator<Buffer> {
    for (const chunk of chunks) {
      this.#capture(chunk);
      yield chunk;
    }
  }

  async *#passingLater(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#capture(chunk);
      yield chunk;
    }
  }

  #capture(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > MAX_AUDITED_BYTES) this.#parts = undefined;
    // The memory of a slice may be reused once the slice was sent.
    this.#parts?.push(Buffer.from(chunk));
  }
}
