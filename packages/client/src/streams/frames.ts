import { TransportError } from '../transport/transport.ts';

/** Kinds of frames (RFC 6455 section 5.2). */
export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Maximum size of a message: a server can announce any size. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export interface Frame {
  readonly kind: number;
  readonly isLast: boolean;
  readonly payload: Buffer;
}

/** A frame of a client: complete, and masked as the protocol requires. */
export function clientFrame(kind: number, payload: Uint8Array, mask: Uint8Array): Buffer {
  const size = payload.byteLength;
  const lengthBytes = size < 126 ? 0 : size < 65_536 ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + lengthBytes + 4 + size);
  frame[0] = 0x80 | kind;
  frame[1] = 0x80 | (lengthBytes === 0 ? size : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) frame.writeUInt16BE(size, 2);
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(size), 2);
  const start = 2 + lengthBytes + 4;
  frame.set(mask, start - 4);
  for (let i = 0; i < size; i++) frame[start + i] = (payload[i] ?? 0) ^ (mask[i & 3] ?? 0);
  return frame;
}

/** Splits the bytes of a server into frames. The chunks of a frame are joined once, when it is complete. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;
  /** The number of bytes with which the next step is possible. */
  #needed = HEAD_BYTES;

  /** The frames that are complete with this chunk. Throws a `TransportError` for frames that a server must not send. */
  *read(chunk: Buffer): Generator<Frame, void, undefined> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return;
    let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#size);
    for (;;) {
      this.#needed = frameBytes(rest);
      if (rest.length < this.#needed) break;
      yield frameOf(rest.subarray(0, this.#needed));
      rest = rest.subarray(this.#needed);
    }
    this.#chunks = [rest];
    this.#size = rest.length;
  }
}

/** Bytes of a frame that tell the length of its head. */
const HEAD_BYTES = 2;
const SHORT_BYTES = 126;
const LONG_BYTES = 127;

/** Where the payload of a frame begins, by the length in its second byte. */
const payloadStart = (short: number): number => (short === SHORT_BYTES ? 4 : short === LONG_BYTES ? 10 : 2);

/** The size of the frame at the beginning of some bytes, or the number of bytes that tell it. */
function frameBytes(input: Buffer): number {
  if (input.length < HEAD_BYTES) return HEAD_BYTES;
  const [first = 0, second = 0] = input;
  if ((first & 0x70) !== 0 || (second & 0x80) !== 0)
    throw new TransportError('unknown', 'the server sent an invalid WebSocket frame');
  const start = payloadStart(second);
  if (input.length < start) return start;
  const size =
    second === SHORT_BYTES
      ? input.readUInt16BE(HEAD_BYTES)
      : second === LONG_BYTES
        ? Number(input.readBigUInt64BE(HEAD_BYTES))
        : second;
  checkSize(size);
  return start + size;
}

const frameOf = (bytes: Buffer): Frame => {
  const [first = 0, second = 0] = bytes;
  return {
    kind: first & 0x0f,
    isLast: (first & 0x80) !== 0,
    payload: bytes.subarray(payloadStart(second)),
  };
};

/** Throws a `TransportError` for a message beyond the limit. */
export function checkSize(size: number): void {
  if (size > MAX_MESSAGE_BYTES)
    throw new TransportError('unknown', `the server sent a message of more than ${MAX_MESSAGE_BYTES} bytes`);
}
