import type { IncomingMessage } from 'node:http';
import { type ApiError, errors, messageOf } from '@orch/machinery';
import { BodyBuffer } from '@orch/machinery/http';
import { parseJson } from '@orch/machinery/json';

/** Reviews of one write: an object and its former state, both with everything that the API server may add. */
export const MAX_ADMISSION_BYTES = 8 * 1024 * 1024;
/** Reviews of the objects of a list. */
export const MAX_CONVERSION_BYTES = 64 * 1024 * 1024;
/** Bodies of all requests in progress together. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** The bytes of the requests in progress of a server. */
export class HeldBytes {
  #held = 0;

  /** False when there is no room for them. */
  take(bytes: number): boolean {
    if (this.#held + bytes > MAX_HELD_BYTES) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/** A review, and the bytes of its body that the caller has to release. */
export interface ReadReview {
  readonly review: unknown;
  readonly bytes: number;
}

/** Reads the review of a request. Throws the status of a body that is too large or not JSON. */
export async function readReview(
  request: IncomingMessage,
  held: HeldBytes,
  maxBytes: number,
): Promise<ReadReview> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw errors.unsupportedMediaType(type, ['application/json']);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw errors.requestEntityTooLarge(maxBytes);
  const body = new BodyBuffer();
  let refusal: ApiError | undefined;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      // The rest is discarded, within the time of a request, so that the client gets the answer.
      if (refusal !== undefined) continue;
      if (body.size + piece.length > maxBytes) refusal = errors.requestEntityTooLarge(maxBytes);
      else if (!held.take(piece.length)) refusal = errors.tooManyRequests('too many reviews are in progress');
      else body.add(piece);
    }
    if (refusal !== undefined) throw refusal;
    return { review: parsed(body.bytes()), bytes: body.size };
  } catch (error) {
    held.release(body.size);
    throw error;
  }
}

function parsed(body: Buffer): unknown {
  try {
    return parseJson(body, { finite: true });
  } catch (error) {
    throw errors.badRequest(`the review is not JSON: ${messageOf(error)}`);
  }
}
