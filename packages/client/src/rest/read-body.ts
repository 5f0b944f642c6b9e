import { parseJson } from '@orch/machinery';
import { TransportError, type TransportResponse } from '../transport/transport.ts';

/** The whole of a body. Throws a `TransportError` when it is longer than `maxBytes`. `heard` is called for every piece. */
export async function readBody(
  response: TransportResponse,
  maxBytes: number,
  heard?: () => void,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body) {
    size += piece.byteLength;
    if (size > maxBytes) throw new TransportError('unknown', `the answer is longer than ${maxBytes} bytes`);
    pieces.push(piece);
    heard?.();
  }
  return pieces.length === 1 ? asBuffer(pieces[0] as Uint8Array) : Buffer.concat(pieces, size);
}

/** Takes at most `maxBytes` of a body that is of little interest, and lets go of the rest. */
export async function readSome(response: TransportResponse, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body) {
    pieces.push(piece.subarray(0, maxBytes - size));
    size += piece.byteLength;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(pieces);
}

export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A JSON answer; numbers keep their exact value. Throws a `TransportError` for anything else. */
export function decodeAnswer(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new TransportError('unknown', `the answer is not JSON: ${problem}`, { cause });
  }
}
