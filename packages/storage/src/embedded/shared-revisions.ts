import type { Revision } from '../store.ts';

const SEEN = 0;
const COMPACTED = 1;

/** Revisions of a store in memory that all threads of the process share. They never decrease. */
export class SharedRevisions {
  readonly memory: SharedArrayBuffer;
  readonly #revisions: BigInt64Array<SharedArrayBuffer>;

  constructor(memory = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#revisions = new BigInt64Array(memory);
  }

  /** The newest revision that a response has shown: reads may see commits shortly before they are acknowledged. */
  get seen(): Revision {
    return this.#get(SEEN);
  }

  /** The revision through which history is compacted. */
  get compacted(): Revision {
    return this.#get(COMPACTED);
  }

  /** Returns the newest revision seen. */
  saw(rev: Revision): Revision {
    return this.#raise(SEEN, rev);
  }

  compact(through: Revision): void {
    this.#raise(COMPACTED, through);
  }

  #get(at: number): Revision {
    return Number(Atomics.load(this.#revisions, at));
  }

  #raise(at: number, rev: Revision): Revision {
    for (let current = Atomics.load(this.#revisions, at); ; ) {
      if (current >= rev) return Number(current);
      const found = Atomics.compareExchange(this.#revisions, at, current, BigInt(rev));
      if (found === current) return rev;
      current = found;
    }
  }
}
