import { Flag, FRAME_HEADER_BYTES, FrameType } from './constants.ts';

const SLAB_BYTES = 64 * 1024;

/** Destination of encoded bytes. */
export interface ByteSink {
  /** Takes ownership of the bytes until they are sent. */
  write(bytes: Buffer): void;
  /** True when all written bytes were sent. */
  readonly idle: boolean;
}

/**
 * Encodes frames consecutively into a slab, so that all frames of one tick are sent in one write. The caller decides
 * when to `flush`.
 */
export class FrameWriter {
  readonly #sink: ByteSink;
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #start = 0;
  #at = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  /** Passes all bytes to the sink. */
  flush(): void {
    if (this.#at > this.#start) this.#sink.write(this.#slab.subarray(this.#start, this.#at));
    this.#start = this.#at;
  }

  raw(bytes: Buffer): void {
    this.#reserve(bytes.length);
    bytes.copy(this.#slab, this.#at);
    this.#at += bytes.length;
  }

  /** HEADERS with the whole block, which must fit into one frame. */
  headers(streamId: number, block: Buffer, endStream: boolean): void {
    this.#frame(
      FrameType.headers,
      Flag.endHeaders | (endStream ? Flag.endStream : 0),
      streamId,
      block.length,
    );
    block.copy(this.#slab, this.#at);
    this.#at += block.length;
  }

  /** DATA with `bytes`, at most a frame's size. */
  data(streamId: number, bytes: Buffer, endStream: boolean): void {
    this.#frame(FrameType.data, endStream ? Flag.endStream : 0, streamId, bytes.length);
    bytes.copy(this.#slab, this.#at);
    this.#at += bytes.length;
  }

  rstStream(streamId: number, code: number): void {
    this.#frame(FrameType.rstStream, 0, streamId, 4);
    this.#uint32(code);
  }

  settings(values: readonly (readonly [id: number, value: number])[]): void {
    this.#frame(FrameType.settings, 0, 0, 6 * values.length);
    for (const [id, value] of values) {
      this.#at = this.#slab.writeUInt16BE(id, this.#at);
      this.#uint32(value);
    }
  }

  settingsAck(): void {
    this.#frame(FrameType.settings, Flag.ack, 0, 0);
  }

  /** `payload` has 8 bytes. */
  ping(payload: Buffer, ack: boolean): void {
    this.#frame(FrameType.ping, ack ? Flag.ack : 0, 0, 8);
    payload.copy(this.#slab, this.#at, 0, 8);
    this.#at += 8;
  }

  goaway(code: number): void {
    this.#frame(FrameType.goaway, 0, 0, 8);
    this.#uint32(0);
    this.#uint32(code);
  }

  windowUpdate(streamId: number, increment: number): void {
    this.#frame(FrameType.windowUpdate, 0, streamId, 4);
    this.#uint32(increment);
  }

  #frame(type: number, flags: number, streamId: number, length: number): void {
    this.#reserve(FRAME_HEADER_BYTES + length);
    const slab = this.#slab;
    const at = this.#at;
    slab[at] = length >>> 16;
    slab[at + 1] = length >>> 8;
    slab[at + 2] = length;
    slab[at + 3] = type;
    slab[at + 4] = flags;
    slab[at + 5] = streamId >>> 24;
    slab[at + 6] = streamId >>> 16;
    slab[at + 7] = streamId >>> 8;
    slab[at + 8] = streamId;
    this.#at = at + FRAME_HEADER_BYTES;
  }

  #uint32(value: number): void {
    this.#at = this.#slab.writeUInt32BE(value, this.#at);
  }

  #reserve(size: number): void {
    // The slab is reused only when the kernel has all bytes: until then the socket may still read from it.
    if (this.#start === this.#at && this.#at > 0 && this.#sink.idle) this.#start = this.#at = 0;
    if (this.#at + size <= this.#slab.length) return;
    this.flush();
    this.#slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, size));
    this.#start = this.#at = 0;
  }
}
