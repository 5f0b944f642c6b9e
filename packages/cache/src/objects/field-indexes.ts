import { yieldToEventLoop } from '@orch/machinery/concurrency';
import type { CachedResource, ObjectFilter } from '../types.ts';
import { FieldIndex } from './field-index.ts';
import type { StoredObject } from './stored-object.ts';
import type { Tree } from './tree.ts';

/** Scans of fewer objects are cheap. */
const FEW_OBJECTS = 256;
/** A scan justifies an index when at most one of this number of objects was selected. */
const WORTH_SHARE = 16;
/** Objects added to a new index in one iteration of the event loop. */
const STEP_OBJECTS = 1024;

/** The objects that a list has read. */
export interface ReadObjects {
  readonly objects: readonly StoredObject[];
  /** Objects examined. */
  readonly fetched: number;
  /** The field whose index was used; `''` for a scan. */
  readonly index: string;
}

/** The objects of a resource, which change while an index of them is made. */
export interface IndexedState {
  readonly resource: CachedResource;
  readonly tree: Tree<StoredObject>;
}

/** An index that was made because of a list. */
interface MadeIndex {
  readonly index: FieldIndex;
  complete: boolean;
  /** Monotonic milliseconds. */
  usedAt: number;
}

/**
 * The field indexes of one resource: those that it declares, and those of other selectable fields by which it is listed.
 * The latter are made after the first list that scans many objects for few, in small steps, and dropped when no list has
 * used them for some time.
 */
export class FieldIndexes {
  readonly #state: IndexedState;
  readonly #declared: readonly FieldIndex[];
  readonly #made = new Map<string, MadeIndex>();
  #complete: readonly FieldIndex[];

  /** Throws when an indexed field of the resource is not selectable. */
  constructor(state: IndexedState) {
    const { name, indexedFields, selectableFields } = state.resource;
    this.#state = state;
    this.#declared = indexedFields.map((field) => {
      const position = selectableFields.indexOf(field);
      if (position < 0) throw new Error(`${name}: the indexed field ${field} is not selectable`);
      return new FieldIndex(field, position);
    });
    this.#complete = this.#declared;
  }

  /** The indexes that hold all objects of the current state. */
  get complete(): readonly FieldIndex[] {
    return this.#complete;
  }

  /** Removes one state of an object and adds another; either may be absent. */
  replace(before: StoredObject | undefined, after: StoredObject | undefined): void {
    for (const index of this.#declared) index.replace(before, after);
    for (const { index } of this.#made.values()) index.replace(before, after);
  }

  /** Must be called with each list of the current state: makes the index that would have spared a scan. */
  listed({ fieldEquals }: ObjectFilter, { objects, fetched, index }: ReadObjects, now: number): void {
    const used = this.#made.get(index);
    if (used !== undefined) used.usedAt = now;
    if (index !== '' || fetched < FEW_OBJECTS || objects.length * WORTH_SHARE > fetched) return;
    for (const { field } of fieldEquals) this.#make(field, now);
  }

  /** Drops the indexes that were made for lists and not used since `time` (monotonic milliseconds). */
  expire(time: number): void {
    if (this.#made.size === 0) return;
    for (const [field, { usedAt }] of this.#made) {
      if (usedAt >= time) continue;
      this.#made.delete(field);
      this.#setComplete();
    }
  }

  clear(): void {
    this.#made.clear();
    this.#setComplete();
  }

  #make(field: string, now: number): void {
    const position = this.#state.resource.selectableFields.indexOf(field);
    const isDeclared = this.#declared.some((index) => index.field === field);
    // Keys consist of namespace and name: these need no index.
    if (position < 0 || isDeclared || field.startsWith('metadata.') || this.#made.has(field)) return;
    const made = { index: new FieldIndex(field, position), complete: false, usedAt: now };
    this.#made.set(field, made);
    void this.#fill(field, made);
  }

  /** Adds all objects. Those that change meanwhile are replaced in the index, whether they were added before or not. */
  async #fill(field: string, made: MadeIndex): Promise<void> {
    for (let after: string | undefined; ; ) {
      await yieldToEventLoop();
      if (this.#made.get(field) !== made) return;
      const objects = this.#state.tree.collect('', after, STEP_OBJECTS);
      for (const object of objects) made.index.add(object);
      if (objects.length < STEP_OBJECTS) break;
      after = objects.at(-1)?.key;
    }
    made.complete = true;
    this.#setComplete();
  }

  #setComplete(): void {
    const made = [...this.#made.values()].filter(({ complete }) => complete);
    this.#complete =
      made.length === 0 ? this.#declared : [...this.#declared, ...made.map(({ index }) => index)];
  }
}
