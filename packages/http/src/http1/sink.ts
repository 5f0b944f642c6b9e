import type { TLSSocket } from 'node:tls';
import { type BodySink, chunkPayload } from '@orch/request';
import { drainedOrAborted, type Flow } from '../shared/flow.ts';

/** The body of a streaming reply over HTTP/1.1: chunked, or raw bytes for a client without support for chunks. */
export class Http1Sink implements BodySink {
  readonly #socket: TLSSocket;
  readonly #flow: Flow;
  readonly #isChunked: boolean;
  readonly #maxUnsentBytes: number;
  /** Remaining bytes of the announced length. */
  #left: number | undefined;

  constructor(
    socket: TLSSocket,
    flow: Flow,
    options: {
      readonly isChunked: boolean;
      readonly maxUnsentBytes: number;
      readonly length?: number | undefined;
    },
  ) {
    this.#socket = socket;
    this.#flow = flow;
    this.#isChunked = options.isChunked;
    this.#maxUnsentBytes = options.maxUnsentBytes;
    this.#left = options.length;
  }

  /** Throws when the body does not have the announced length: the client would read the next bytes as part of it. */
  checkLength(): void {
    if (this.#left !== undefined && this.#left !== 0 && this.#socket.writable)
      throw new Error('a reply does not have the announced length');
  }

  write(chunk: Buffer): boolean {
    const socket = this.#socket;
    if (chunk.length === 0 || !socket.writable) return true;
    if (this.#left !== undefined) {
      this.#left -= chunk.length;
      if (this.#left < 0) throw new Error('a reply does not have the announced length');
    }
    if (this.#isChunked) {
      socket.cork();
      socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
      socket.write(chunk);
      socket.write('\r\n', 'latin1');
      socket.uncork();
    } else {
      socket.write(chunk);
    }
    return this.#isOpen();
  }

  writeFramed(frames: readonly Buffer[]): boolean {
    const socket = this.#socket;
    if (frames.length === 0 || !socket.writable) return true;
    const [first] = frames;
    // Fast path: the socket accepts the write without back-pressure.
    if (frames.length === 1 && first !== undefined)
      return socket.write(this.#isChunked ? first : chunkPayload(first)) || this.#isOpen();
    socket.cork();
    for (const frame of frames) socket.write(this.#isChunked ? frame : chunkPayload(frame));
    socket.uncork();
    return this.#isOpen();
  }

  drained(signal: AbortSignal): Promise<void> {
    return drainedOrAborted(this.#flow, signal);
  }

  #isOpen(): boolean {
    if (this.#socket.writableLength > this.#maxUnsentBytes) this.#socket.destroy();
    return this.#flow.isOpen();
  }
}
