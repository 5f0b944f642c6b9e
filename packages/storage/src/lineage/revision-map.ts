import { compareKeys, inRange, type KeyRange, prefixRange } from '../keys.ts';
import type { KeyValue, Revision } from '../store.ts';

/** The relation between the revisions that clients see and those of a store. */
export interface RevisionLineage {
  /** Added to every revision of the store. */
  readonly revisionOffset: Revision;
  /**
   * Keys of the registry that the store has last written at this revision or before were copied from another store, with their
   * earlier revisions in front of their values (`carriedValue`). 0 when there are none. Keys beside those of the registry are
   * not copied.
   */
  readonly carriedThrough: Revision;
  /** The last revision of that other store: clients may have seen this one and later ones, at which nothing else changed. */
  readonly carriedFrom: Revision;
}

/** Converts between the revisions of a store and those that clients see. */
export class RevisionMap {
  readonly #offset: Revision;
  readonly #carriedFrom: Revision;
  readonly #copied: KeyRange;
  /** Keys of the copied range that were written at this revision of the store or before are carried. */
  readonly carriedThrough: Revision;

  /** `prefix` is that of the keys that migrations copy. */
  constructor({ revisionOffset, carriedThrough, carriedFrom }: RevisionLineage, prefix: string) {
    this.#offset = revisionOffset;
    this.carriedThrough = carriedThrough;
    this.#carriedFrom = carriedFrom;
    this.#copied = prefixRange(prefix);
  }

  /** Reports whether the revisions of a key are those in front of its value. */
  isCarried({ key, modRevision }: Pick<KeyValue, 'key' | 'modRevision'>): boolean {
    return modRevision <= this.carriedThrough && inRange(this.#copied, key);
  }

  /** Reports whether keys of the range may be carried. */
  mayCarry({ start, end }: KeyRange): boolean {
    const { start: first, end: behind } = this.#copied;
    return this.carriedThrough > 0 && compareKeys(start, behind) < 0 && compareKeys(end, first) > 0;
  }

  /** Not less than 1: keys that were carried and changed since were created before all that clients see. */
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
