import { copyBytes } from '@orch/machinery';

const CR = 0x0d;
const LF = 0x0a;

/** A place in the slices of a body where other requests may be served. */
export const PAUSE = Buffer.alloc(0);

/**
 * Wraps bytes in the framing of one HTTP/1.1 chunk (`hex-length CRLF bytes CRLF`, RFC 9112 section 7.1), in one new
 * buffer. `parts` are joined. An empty chunk would end a body, so at least one byte is needed.
 */
export function frameChunk(...parts: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  if (length === 0) throw new RangeError('an empty chunk ends a body and cannot be framed');
  const head = length.toString(16);
  const frame = Buffer.allocUnsafeSlow(head.length + 2 + length + 2);
  let at = frame.write(head, 0, 'latin1');
  frame[at++] = CR;
  frame[at++] = LF;
  for (const part of parts) {
    copyBytes(part, frame, at);
    at += part.length;
  }
  frame[at++] = CR;
  frame[at] = LF;
  return frame;
}

/** A frame with a reference to its payload: over HTTP/2 the payload is sent to streams. */
interface FramedBuffer extends Buffer {
  payload?: Buffer;
}

/** The payload of a chunk that `frameChunk` made; a view, not a copy. */
export function chunkPayload(frame: FramedBuffer): Buffer {
  frame.payload ??= frame.subarray(frame.indexOf(LF) + 1, frame.length - 2);
  return frame.payload;
}
