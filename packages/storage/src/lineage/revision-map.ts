import type { Revision } from '../store.ts';

/** How the revisions that clients see follow from those of a store. */
export interface RevisionLineage {
  /** Added to every revision of the store. */
  readonly revisionOffset: Revision;
  /**
   * Keys that the store has last written at this revision or before were copied from another store, with their earlier
   * revisions in front of their values (`carriedValue`). 0 when there are none.
   */
  readonly carriedThrough: Revision;
  /** The last revision of that other store: clients may have seen this one and later ones, at which nothing else changed. */
  readonly carriedFrom: Revision;
}

/** Converts between the revisions of a store and those that clients see. */
export class RevisionMap {
  readonly #offset: Revision;
  readonly #carriedFrom: Revision;
  /** Keys written at this revision of the store or before are carried. */
  readonly carriedThrough: Revision;

  constructor({ revisionOffset, carriedThrough, carriedFrom }: RevisionLineage) {
    this.#offset = revisionOffset;
    this.carriedThrough = carriedThrough;
    this.#carriedFrom = carriedFrom;
  }

  /** Not less than 1: keys that were carried and changed since have been created before all that clients see. */
  outer(rev: Revision): Revision {
    return Math.max(1, rev + this.#offset);
  }

  /** The revision of the store whose state clients see at `rev`; undefined when it is not in the store. */
  readable(rev: Revision): Revision | undefined {
    const inner = rev - this.#offset;
    if (inner >= Math.max(1, this.carriedThrough)) return inner;
    return this.carriedThrough > 0 && rev >= this.#carriedFrom ? this.carriedThrough : undefined;
  }

  /** The revision of the store at which a key was written; undefined when it was written before, in another store. */
  written(rev: Revision): Revision | undefined {
    const inner = rev - this.#offset;
    return inner > this.carriedThrough ? inner : undefined;
  }
}
