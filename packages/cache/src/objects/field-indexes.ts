import type { CachedResource, ObjectFilter } from '../types.ts';
import { FieldIndex } from './field-index.ts';
import { type LiveIndexes, MadeIndexes } from './made-indexes.ts';
import type { StoredObject } from './stored-object.ts';
import type { Tree } from './tree.ts';

/** The objects of a resource, which change while an index of them is made. */
export interface IndexedState {
  readonly resource: CachedResource;
  readonly tree: Tree<StoredObject>;
}

/**
 * The field indexes of one resource: those that it declares, and those of other selectable fields by which it is listed.
 * The latter are made after the first list that scans many objects for few.
 */
export class FieldIndexes {
  readonly #resource: CachedResource;
  readonly #declared: readonly FieldIndex[];
  readonly #made: MadeIndexes<FieldIndex>;

  /** Throws when an indexed field of the resource is not selectable. */
  constructor(state: IndexedState, live: LiveIndexes) {
    const { name, indexedFields, selectableFields } = state.resource;
    this.#resource = state.resource;
    this.#made = new MadeIndexes(state, live);
    this.#declared = indexedFields.map((field) => {
      const position = selectableFields.indexOf(field);
      if (position < 0) throw new Error(`${name}: the indexed field ${field} is not selectable`);
      return new FieldIndex(field, position);
    });
    for (const index of this.#declared) live.add(index);
  }

  /** The indexes that hold all objects of the current state. */
  get complete(): readonly FieldIndex[] {
    const { complete } = this.#made;
    return complete.size === 0 ? this.#declared : [...this.#declared, ...complete.values()];
  }

  /** Must be called when a list has used the index of a field. */
  used(field: string, now: number): void {
    this.#made.used(field, now);
  }

  /** Makes the indexes that would have spared a scan with the filter. */
  scanned({ fieldEquals }: ObjectFilter, now: number): void {
    for (const { field } of fieldEquals) this.#make(field, now);
  }

  /** Drops the indexes that were made for lists and not used since `time` (monotonic milliseconds). */
  expire(time: number): void {
    if (this.#made.size > 0) this.#made.expire(time);
  }

  clear(): void {
    this.#made.clear();
  }

  #make(field: string, now: number): void {
    const position = this.#resource.selectableFields.indexOf(field);
    const isDeclared = this.#declared.some((index) => index.field === field);
    // Keys consist of namespace and name: these need no index.
    if (position < 0 || isDeclared || field.startsWith('metadata.') || this.#made.has(field)) return;
    this.#made.make(field, new FieldIndex(field, position), now);
  }
}
