import { type Work, yieldToEventLoop } from '@orch/machinery/concurrency';
import type { OpenApiInput } from './input.ts';

/** Bytes of JSON that are processed without a pause: about a millisecond of work. */
const BYTES_PER_TURN = 64 * 1024;

/** Yields to other work of this thread: building a document takes longer than requests may be delayed. */
export const nextTurn = ({ turns }: Pick<OpenApiInput, 'turns'>): Promise<void> =>
  turns === undefined ? yieldToEventLoop() : turns.next();

/** Pieces of work that are done in one turn: together about a millisecond. */
const PIECES_PER_TURN = 4;

/** The result of work whose pieces are done in turns. */
export async function inTurns<T>(input: Pick<OpenApiInput, 'turns'>, work: Work<T>): Promise<T> {
  for (let pieces = 1; ; pieces++) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (pieces % PIECES_PER_TURN === 0) await nextTurn(input);
  }
}

/** Divides a long task into turns by the amount of data. */
export class Turns {
  #bytes = 0;

  /** Resolves at once, or in the next turn when enough was processed in this one. */
  async processed(bytes: number): Promise<void> {
    this.#bytes += bytes;
    if (this.#bytes < BYTES_PER_TURN) return;
    this.#bytes = 0;
    await yieldToEventLoop();
  }
}
