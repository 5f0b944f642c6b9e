/** Bytes of JSON that are processed without a pause: about a millisecond of work. */
const BYTES_PER_TURN = 64 * 1024;

/** Yields to other work of this thread: building a document takes longer than requests may be delayed. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Divides a long task into turns by the amount of data. */
export class Turns {
  #bytes = 0;

  /** Resolves at once, or in the next turn when enough was processed in this one. */
  async processed(bytes: number): Promise<void> {
    this.#bytes += bytes;
    if (this.#bytes < BYTES_PER_TURN) return;
    this.#bytes = 0;
    await nextTurn();
  }
}
