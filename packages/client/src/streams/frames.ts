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

/** Splits the bytes of a server into frames. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0);

  /** The frames that are complete with this chunk. Throws a `TransportError` for frames that a server must not send. */
  *read(chunk: Buffer): Generator<Frame, void, undefined> {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) yield frame;
  }

  #next(): Frame | undefined {
    const input = this.#pending;
    if (input.length < 2) return undefined;
    const [first = 0, second = 0] = input;
    if ((first & 0x70) !== 0 || (second & 0x80) !== 0)
      throw new TransportError('unknown', 'the server sent an invalid WebSocket frame');
    const short = second & 0x7f;
    const start = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (input.length < start) return undefined;
    const size =
      short === 126 ? input.readUInt16BE(2) : short === 127 ? Number(input.readBigUInt64BE(2)) : short;
    checkSize(size);
    if (input.length < start + size) return undefined;
    this.#pending = input.subarray(start + size);
    return {
      kind: first & 0x0f,
      isLast: (first & 0x80) !== 0,
      payload: input.subarray(start, start + size),
    };
  }
}

/** Throws a `TransportError` for a message beyond the limit. */
export function checkSize(size: number): void {
  if (size > MAX_MESSAGE_BYTES)
    throw new TransportError('unknown', `the server sent a message of more than ${MAX_MESSAGE_BYTES} bytes`);
}
