import { yieldToEventLoop } from '@orch/machinery/concurrency';
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
}

/** Reports whether an index would have spared a list the reading of most objects. */
export const isWorthIndex = ({ objects, fetched }: ReadObjects): boolean =>
  fetched >= FEW_OBJECTS && objects.length * WORTH_SHARE <= fetched;

/** An index of objects. */
export interface ObjectIndex {
  /** Does nothing when the object is in the index. */
  add(object: StoredObject): void;
  /** Removes one state of an object and adds another; either may be absent. */
  replace(before: StoredObject | undefined, after: StoredObject | undefined): void;
}

/** All indexes of the objects of a resource, also those that are being made: they change with the objects. */
export type LiveIndexes = Set<ObjectIndex>;

/** An index that was made because of a list. */
interface MadeIndex<I> {
  readonly index: I;
  complete: boolean;
  /** Monotonic milliseconds. */
  usedAt: number;
}

/**
 * The indexes that were made because of lists, by name. They are made in small steps, and dropped when no list has used them for
 * some time.
 */
export class MadeIndexes<I extends ObjectIndex> {
  readonly #state: { readonly tree: Tree<StoredObject> };
  readonly #live: LiveIndexes;
  readonly #made = new Map<string, MadeIndex<I>>();
  #complete: ReadonlyMap<string, I> = new Map();

  constructor(state: { readonly tree: Tree<StoredObject> }, live: LiveIndexes) {
    this.#state = state;
    this.#live = live;
  }

  /** The indexes that hold all objects of the current state. */
  get complete(): ReadonlyMap<string, I> {
    return this.#complete;
  }

  /** Number of indexes, with those that are being made. */
  get size(): number {
    return this.#made.size;
  }

  has(name: string): boolean {
    return this.#made.has(name);
  }

  /** Must be called when a list has used an index. */
  used(name: string, now: number): void {
    const made = this.#made.get(name);
    if (made !== undefined) made.usedAt = now;
  }

  /** Begins to add all objects to a new index. */
  make(name: string, index: I, now: number): void {
    const made = { index, complete: false, usedAt: now };
    this.#made.set(name, made);
    this.#live.add(index);
    void this.#fill(name, made);
  }

  /** Drops the indexes that were not used since `time` (monotonic milliseconds). */
  expire(time: number): void {
    for (const [name, { index, usedAt }] of this.#made) {
      if (usedAt >= time) continue;
      this.#made.delete(name);
      this.#live.delete(index);
      this.#setComplete();
    }
  }

  clear(): void {
    for (const { index } of this.#made.values()) this.#live.delete(index);
    this.#made.clear();
    this.#setComplete();
  }

  /** Adds all objects. Those that change meanwhile are replaced in the index, whether they were added before or not. */
  async #fill(name: string, made: MadeIndex<I>): Promise<void> {
    for (let after: string | undefined; ; ) {
      await yieldToEventLoop();
      if (this.#made.get(name) !== made) return;
      const objects = this.#state.tree.collect('', after, STEP_OBJECTS);
      for (const object of objects) made.index.add(object);
      if (objects.length < STEP_OBJECTS) break;
      after = objects.at(-1)?.key;
    }
    made.complete = true;
    this.#setComplete();
  }

  #setComplete(): void {
    const complete = [...this.#made].filter(([, made]) => made.complete);
    this.#complete = new Map(complete.map(([name, { index }]) => [name, index]));
  }
}
