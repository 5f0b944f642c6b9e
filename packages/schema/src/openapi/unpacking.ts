import { Semaphore } from '@orch/machinery/concurrency';
import type { OpenApiInput } from './input.ts';
import { inflated, isStored, type Piece } from './pieces/index.ts';
import { nextTurn } from './turns.ts';

const never = new AbortController().signal;

/**
 * Unpacks pieces of documents one at a time, however many readers there are: the threads that do it need the cores on which requests
 * are served. Each piece waits for a turn, because this thread unpacks short ones itself and starts the others. Readers of a piece that
 * is being unpacked share it.
 */
export class Unpacking {
  readonly #input: Pick<OpenApiInput, 'turns'>;
  readonly #unpack: typeof inflated;
  readonly #permit = new Semaphore(1);
  readonly #begun = new Map<Piece, Promise<Buffer>>();

  constructor(input: Pick<OpenApiInput, 'turns'>, unpack = inflated) {
    this.#input = input;
    this.#unpack = unpack;
  }

  /** The bytes of a piece before compression. */
  bytesOf(piece: Piece): Promise<Buffer> {
    const begun = this.#begun.get(piece);
    if (begun !== undefined) return begun;
    const bytes = this.#permit.run(never, () => this.#inTurn(piece)).finally(() => this.#begun.delete(piece));
    this.#begun.set(piece, bytes);
    return bytes;
  }

  async #inTurn(piece: Piece): Promise<Buffer> {
    if (!isStored(piece)) await nextTurn(this.#input);
    return this.#unpack(piece);
  }
}
