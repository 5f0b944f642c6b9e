import { ErrorCode, Flag, FrameType, Http2Error } from './constants.ts';
import { HpackDecoder } from './hpack-decoder.ts';

const MAX_LIST_BYTES = 64 * 1024;
const MAX_BLOCK_BYTES = 64 * 1024;

/** Joins HEADERS and its CONTINUATION frames and decodes the block (RFC 9113 section 4.3). */
export class HeaderCollector {
  static readonly maxListBytes = MAX_LIST_BYTES;
  readonly #decoder = new HpackDecoder(MAX_LIST_BYTES);
  #streamId = 0;
  #endStream = false;
  #parts: Buffer[] = [];
  #bytes = 0;

  /** A header block is incomplete: only its CONTINUATION may follow. */
  get open(): boolean {
    return this.#streamId !== 0;
  }

  /**
   * Adds a HEADERS or CONTINUATION frame. Returns the block when it is complete: `fields` must then be called, also
   * for an unknown stream, because decoding changes the connection's table.
   */
  add(type: number, flags: number, streamId: number, payload: Buffer): HeaderBlock | undefined {
    const continuation = type === FrameType.continuation;
    if (continuation !== this.open || (continuation && streamId !== this.#streamId)) {
      throw new Http2Error(ErrorCode.protocolError, 'HEADERS and CONTINUATION out of order');
    }
    const part = continuation ? payload : fragment(flags, payload);
    if (!continuation) this.#endStream = (flags & Flag.endStream) !== 0;
    this.#bytes += part.length;
    if (this.#bytes > MAX_BLOCK_BYTES)
      throw new Http2Error(ErrorCode.enhanceYourCalm, 'a header block too large');
    if ((flags & Flag.endHeaders) !== 0) return this.#complete(streamId, part);
    // An empty CONTINUATION costs the peer nothing and adds nothing, so it is refused.
    if (continuation && part.length === 0)
      throw new Http2Error(ErrorCode.enhanceYourCalm, 'an empty CONTINUATION');
    this.#streamId = streamId;
    this.#parts.push(Buffer.from(part));
    return undefined;
  }

  #complete(streamId: number, last: Buffer): HeaderBlock {
    const block = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#streamId = 0;
    this.#parts = [];
    this.#bytes = 0;
    return { streamId, endStream: this.#endStream, fields: (field) => this.#decoder.decode(block, field) };
  }
}

export interface HeaderBlock {
  readonly streamId: number;
  readonly endStream: boolean;
  fields(field: (name: string, value: string) => void): void;
}

/** The field block fragment of a HEADERS frame: without padding and priority. */
function fragment(flags: number, payload: Buffer): Buffer {
  let start = 0;
  let end = payload.length;
  if ((flags & Flag.padded) !== 0) {
    start = 1;
    end -= payload[0] ?? end;
  }
  if ((flags & Flag.priority) !== 0) start += 5;
  if (start > end) throw new Http2Error(ErrorCode.protocolError, 'HEADERS with bad padding');
  return payload.subarray(start, end);
}
