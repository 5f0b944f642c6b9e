import { ErrorCode, Flag, FRAME_HEADER_BYTES, FrameType, Http2Error, MAX_FRAME_BYTES } from './constants.ts';

/** Events of the parser. Buffers are views of the input, valid only during the call. */
export interface FrameHandler {
  /** A part of a DATA frame's content, without padding. */
  onData(streamId: number, chunk: Buffer, start: number, end: number): void;
  /** A DATA frame is complete; `length` is its flow-control size, including padding. */
  onDataEnd(streamId: number, flags: number, length: number): void;
  /** Any other frame, complete. */
  onFrame(type: number, flags: number, streamId: number, payload: Buffer): void;
}

/**
 * Splits a byte stream into frames (RFC 9113 section 4.1). DATA is passed on as it arrives, other frames are
 * collected; at most one frame is buffered. Throws {@link Http2Error} on a frame above 16 KiB or bad padding.
 */
export class FrameParser {
  readonly #handler: FrameHandler;
  readonly #header = Buffer.allocUnsafeSlow(FRAME_HEADER_BYTES);
  #headerFilled = 0;
  #collected = Buffer.allocUnsafeSlow(0);
  #collectedFilled = 0;

  #inFrame = false;
  #length = 0;
  #type = 0;
  #flags = 0;
  #streamId = 0;
  /** Bytes of the frame's payload that were not received yet. */
  #remaining = 0;
  /** Bytes of padding at the end of a DATA frame; -1 until its length byte was read. */
  #padding = 0;

  constructor(handler: FrameHandler) {
    this.#handler = handler;
  }

  /** Parses the first `length` bytes of `chunk`. */
  feed(chunk: Buffer, length: number): void {
    let at = 0;
    while (at < length) {
      if (!this.#inFrame) at = this.#readHeader(chunk, at, length);
      else if (this.#type === FrameType.data) at = this.#readData(chunk, at, length);
      else at = this.#readOther(chunk, at, length);
    }
  }

  #readHeader(chunk: Buffer, at: number, length: number): number {
    if (this.#headerFilled === 0 && length - at >= FRAME_HEADER_BYTES) {
      this.#begin(chunk, at);
      return at + FRAME_HEADER_BYTES;
    }
    const take = Math.min(FRAME_HEADER_BYTES - this.#headerFilled, length - at);
    chunk.copy(this.#header, this.#headerFilled, at, at + take);
    this.#headerFilled += take;
    if (this.#headerFilled === FRAME_HEADER_BYTES) this.#begin(this.#header, 0);
    return at + take;
  }

  #begin(bytes: Buffer, at: number): void {
    this.#headerFilled = 0;
    this.#length = bytes.readUIntBE(at, 3);
    this.#type = bytes[at + 3] as number;
    this.#flags = bytes[at + 4] as number;
    this.#streamId = bytes.readUInt32BE(at + 5) & 0x7fff_ffff;
    this.#remaining = this.#length;
    if (this.#length > MAX_FRAME_BYTES) {
      throw new Http2Error(ErrorCode.frameSizeError, `a frame of ${this.#length} bytes`);
    }
    this.#inFrame = true;
    this.#padding = 0;
    this.#collectedFilled = 0;
    if (this.#type === FrameType.data && (this.#flags & Flag.padded) !== 0) this.#padding = -1;
    if (this.#length === 0) this.#finishEmpty();
  }

  #finishEmpty(): void {
    if (this.#padding === -1)
      throw new Http2Error(ErrorCode.frameSizeError, 'a padded DATA frame without a length');
    if (this.#type === FrameType.data) this.#endData();
    else this.#endOther(this.#header.subarray(0, 0));
  }

  #readData(chunk: Buffer, start: number, length: number): number {
    let at = start;
    if (this.#padding === -1) {
      this.#padding = chunk[at++] as number;
      this.#remaining--;
      if (this.#padding > this.#remaining) {
        throw new Http2Error(ErrorCode.protocolError, 'padding longer than its DATA frame');
      }
    }
    const take = Math.min(this.#remaining, length - at);
    const content = Math.min(take, this.#remaining - this.#padding);
    if (content > 0) this.#handler.onData(this.#streamId, chunk, at, at + content);
    this.#remaining -= take;
    if (this.#remaining < this.#padding) this.#padding = this.#remaining;
    if (this.#remaining === 0) this.#endData();
    return at + take;
  }

  #readOther(chunk: Buffer, at: number, length: number): number {
    const take = Math.min(this.#remaining, length - at);
    if (take === this.#length) {
      this.#endOther(chunk.subarray(at, at + take));
      return at + take;
    }
    if (this.#collected.length < this.#length) this.#collected = Buffer.allocUnsafeSlow(this.#length);
    chunk.copy(this.#collected, this.#collectedFilled, at, at + take);
    this.#collectedFilled += take;
    this.#remaining -= take;
    if (this.#remaining === 0) this.#endOther(this.#collected.subarray(0, this.#length));
    return at + take;
  }

  #endData(): void {
    this.#inFrame = false;
    this.#handler.onDataEnd(this.#streamId, this.#flags, this.#length);
  }

  #endOther(payload: Buffer): void {
    this.#inFrame = false;
    this.#handler.onFrame(this.#type, this.#flags, this.#streamId, payload);
  }
}
