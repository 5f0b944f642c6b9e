import { parseJsonPart } from '@orch/machinery/json';
import { TransportError, type TransportResponse } from '../transport/transport.ts';
import { joined, textOf } from './bytes.ts';

/** Reads a whole body. Throws a `TransportError` beyond `maxBytes`. `onData` is called for every chunk. */
export async function readBody(
  response: TransportResponse,
  maxBytes: number,
  onData?: () => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new TransportError('unknown', `the response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
    onData?.();
  }
  return joined(chunks, size);
}

/** Reads at most `maxBytes` of a body and discards the rest. */
export async function readSome(response: TransportResponse, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    const part = chunk.subarray(0, maxBytes - size);
    chunks.push(part);
    size += part.byteLength;
    if (size >= maxBytes) break;
  }
  return joined(chunks, size);
}

/** Parses a JSON response; numbers keep their exact value. Throws a `TransportError` for other content. */
export function decodeAnswer(bytes: Uint8Array, onExactNumbers?: () => void): unknown {
  try {
    return parseJsonPart(textOf(bytes), onExactNumbers === undefined ? {} : { onExactNumbers });
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new TransportError('unknown', `the response is not JSON: ${problem}`, { cause });
  }
}
