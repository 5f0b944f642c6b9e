import type { TransportResponse } from '@orch/client';
import { BoundedCache } from '@orch/machinery/bounded-cache';

const MOST_TARGETS = 256;
/** Longer answers are not kept. */
const MOST_BYTES = 1024 * 1024;

type Kept = Pick<TransportResponse, 'status' | 'headers'> & { readonly bytes: Buffer };

/** The previous answers to reads, by their target. */
export class StaleAnswers {
  readonly #kept = new BoundedCache<string, Kept>({ maxEntries: MOST_TARGETS, leastRecentlyUsed: true });

  earlier(target: string): TransportResponse | undefined {
    const kept = this.#kept.get(target);
    return kept && { ...kept, body: bodyOf(kept.bytes) };
  }

  /** The answer itself, which is kept when it was read. */
  remember(target: string, answer: TransportResponse): TransportResponse {
    if (answer.status !== 200) return answer;
    const { status, headers } = answer;
    const keep = (bytes: Buffer): void => this.#kept.set(target, { status, headers, bytes });
    return { ...answer, body: kept(answer.body, keep) };
  }
}

async function* kept(
  body: AsyncIterable<Uint8Array>,
  keep: (bytes: Buffer) => void,
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size <= MOST_BYTES) chunks.push(Buffer.from(chunk));
    yield chunk;
  }
  if (size <= MOST_BYTES) keep(Buffer.concat(chunks));
}

async function* bodyOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
