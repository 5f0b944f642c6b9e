import type { ServerHttp2Stream } from 'node:http2';
import { type BodySink, chunkPayload } from '@orch/request';
import { drainedOrAborted, type Flow } from '../shared/flow.ts';

/** The body of a streaming reply over HTTP/2. */
export class Http2Sink implements BodySink {
  readonly #stream: ServerHttp2Stream;
  readonly #flow: Flow;
  readonly #maxUnsentBytes: number;

  constructor(stream: ServerHttp2Stream, flow: Flow, maxUnsentBytes: number) {
    this.#stream = stream;
    this.#flow = flow;
    this.#maxUnsentBytes = maxUnsentBytes;
  }

  write(chunk: Buffer): boolean {
    if (chunk.length === 0 || !this.#stream.writable) return true;
    this.#stream.write(chunk);
    return this.#isOpen();
  }

  writeFramed(frames: readonly Buffer[]): boolean {
    const stream = this.#stream;
    if (frames.length === 0 || !stream.writable) return true;
    const [first] = frames;
    // Fast path: the stream accepts the write without back-pressure.
    if (frames.length === 1 && first !== undefined)
      return stream.write(chunkPayload(first)) || this.#isOpen();
    stream.cork();
    for (const frame of frames) stream.write(chunkPayload(frame));
    stream.uncork();
    return this.#isOpen();
  }

  drained(signal: AbortSignal): Promise<void> {
    return drainedOrAborted(this.#flow, signal);
  }

  #isOpen(): boolean {
    if (this.#stream.writableLength > this.#maxUnsentBytes) this.#stream.destroy();
    return this.#flow.isOpen();
  }
}
