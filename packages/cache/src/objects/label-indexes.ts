import type { ObjectFilter } from '../types.ts';
import { LabelIndex } from './label-index.ts';
import { type LiveIndexes, MadeIndexes } from './made-indexes.ts';
import type { StoredObject } from './stored-object.ts';
import type { Tree } from './tree.ts';

/** Maximum number of label indexes of one resource: selectors may name any label. */
export const MOST_LABEL_INDEXES = 8;
/** Number of scans that an index of a label would have spared before it is made. */
const SCANS_BEFORE = 3;
/** Maximum number of labels whose scans are counted. At the limit, the counts begin at zero. */
const MOST_COUNTED = 64;

/** The label indexes of one resource. An index is made when lists have often scanned many objects for few with one value of a label. */
export class LabelIndexes {
  readonly #made: MadeIndexes<LabelIndex>;
  /** Scans by labels that have no index. */
  #scans = new Map<string, number>();

  constructor(state: { readonly tree: Tree<StoredObject> }, live: LiveIndexes) {
    this.#made = new MadeIndexes(state, live);
  }

  /** The indexes that hold all objects of the current state, by label. */
  get complete(): ReadonlyMap<string, LabelIndex> {
    return this.#made.complete;
  }

  /** Must be called when a list has used the index of a label. */
  used(label: string, now: number): void {
    this.#made.used(label, now);
  }

  /** Counts a scan with the filter that an index would have spared. */
  scanned({ labelEquals = [] }: ObjectFilter, now: number): void {
    for (const { label } of labelEquals.slice(0, MOST_LABEL_INDEXES)) {
      if (this.#made.size >= MOST_LABEL_INDEXES) return;
      if (this.#made.has(label)) continue;
      const scans = (this.#scans.get(label) ?? 0) + 1;
      if (scans < SCANS_BEFORE) this.#count(label, scans);
      else {
        this.#scans.delete(label);
        this.#made.make(label, new LabelIndex(label), now);
      }
    }
  }

  /** Drops the indexes that were not used since `time` (monotonic milliseconds). */
  expire(time: number): void {
    if (this.#made.size > 0) this.#made.expire(time);
  }

  clear(): void {
    this.#made.clear();
    this.#scans.clear();
  }

  #count(label: string, scans: number): void {
    if (this.#scans.size >= MOST_COUNTED) this.#scans.clear();
    this.#scans.set(label, scans);
  }
}
