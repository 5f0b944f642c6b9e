import { parseJson } from '@orch/machinery/json';
import { TransportError, type TransportResponse } from '../transport/transport.ts';

/** Reads a whole body. Throws a `TransportError` beyond `maxBytes`. `onData` is called for every chunk. */
export async function readBody(
  response: TransportResponse,
  maxBytes: number,
  onData?: () => void,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new TransportError('unknown', `the response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
    onData?.();
  }
  return chunks.length === 1 ? asBuffer(chunks[0] as Uint8Array) : Buffer.concat(chunks, size);
}

/** Reads at most `maxBytes` of a body and discards the rest. */
export async function readSome(response: TransportResponse, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.byteLength;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks);
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Parses a JSON response; numbers keep their exact value. Throws a `TransportError` for other content. */
export function decodeAnswer(bytes: Uint8Array, onExactNumbers?: () => void): unknown {
  try {
    return parseJson(bytes, onExactNumbers === undefined ? {} : { onExactNumbers });
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new TransportError('unknown', `the response is not JSON: ${problem}`, { cause });
  }
}
