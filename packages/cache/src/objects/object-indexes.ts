import type { ObjectFilter } from '../types.ts';
import type { CompleteIndexes } from './complete-indexes.ts';
import { FieldIndexes, type IndexedState } from './field-indexes.ts';
import { LabelIndexes } from './label-indexes.ts';
import { isWorthIndex, type LiveIndexes } from './made-indexes.ts';
import type { Selection } from './select.ts';
import type { StoredObject } from './stored-object.ts';

/** All indexes of the objects of one resource. */
export class ObjectIndexes {
  readonly #live: LiveIndexes = new Set();
  readonly #fields: FieldIndexes;
  readonly #labels: LabelIndexes;

  /** Throws when an indexed field of the resource is not selectable. */
  constructor(state: IndexedState) {
    this.#fields = new FieldIndexes(state, this.#live);
    this.#labels = new LabelIndexes(state, this.#live);
  }

  get complete(): CompleteIndexes {
    return { fields: this.#fields.complete, labels: this.#labels.complete };
  }

  /** Removes one state of an object and adds another; either may be absent. */
  replace(before: StoredObject | undefined, after: StoredObject | undefined): void {
    for (const index of this.#live) index.replace(before, after);
  }

  /** Must be called with each list of the current state: makes the indexes that would have spared a scan. */
  listed(filter: ObjectFilter, selection: Selection, now: number): void {
    const { index, label } = selection;
    if (label !== undefined) this.#labels.used(label, now);
    else if (index !== '') this.#fields.used(index, now);
    if (!isWorthIndex(selection)) return;
    this.#fields.scanned(filter, now);
    this.#labels.scanned(filter, now);
  }

  /** Drops the indexes that were made for lists and not used since `time` (monotonic milliseconds). */
  expire(time: number): void {
    this.#fields.expire(time);
    this.#labels.expire(time);
  }

  clear(): void {
    this.#fields.clear();
    this.#labels.clear();
  }
}
