import { Semaphore } from '@orch/machinery/concurrency';
import { inflated, type Piece } from './pieces/index.ts';

const never = new AbortController().signal;

/**
 * Unpacks pieces of documents one at a time, however many readers there are: the threads that do it need the cores on which requests
 * are served. Readers of a piece that is being unpacked share it.
 */
export class Unpacking {
  readonly #unpack: typeof inflated;
  readonly #permit = new Semaphore(1);
  readonly #begun = new Map<Piece, Promise<Buffer>>();

  constructor(unpack = inflated) {
    this.#unpack = unpack;
  }

  /** The bytes of a piece before compression. */
  bytesOf(piece: Piece): Promise<Buffer> {
    const begun = this.#begun.get(piece);
    if (begun !== undefined) return begun;
    const bytes = this.#permit.run(never, () => this.#unpack(piece)).finally(() => this.#begun.delete(piece));
    this.#begun.set(piece, bytes);
    return bytes;
  }
}
