import { firstKey, prefixEnd, type ValueRange } from './keys.ts';
import type { StoredObject } from './stored-object.ts';

/** Maximum number of objects in a block. */
const MOST = 512;
/** A block with fewer objects is merged with a neighbour when both together have at most half of the maximum. */
const FEWEST = MOST / 8;

/** A place in the index: `at` is between 0 and the length of the block. */
interface Position {
  readonly block: number;
  readonly at: number;
}

/** Where the objects of a range are, until the index changes. */
export interface LabelledPart {
  readonly start: Position;
  readonly end: Position;
  /** Number of objects. */
  readonly count: number;
}

/**
 * The objects that have one label, ordered by its value and then by their keys, in blocks of sorted references: 8 to 12 bytes for
 * each object, whatever the values are. A range of it is in the order of a list, so it needs no sorting.
 */
export class LabelIndex {
  readonly label: string;
  #blocks: StoredObject[][] = [];
  #size = 0;

  constructor(label: string) {
    this.label = label;
  }

  /** Number of objects that have the label. */
  get size(): number {
    return this.#size;
  }

  /** Finds the objects of a range. Takes time for each block of the range, not for each object. */
  find(range: ValueRange): LabelledPart {
    const start = this.#seek(range.value, firstKey(range));
    const end = this.#seek(range.value, prefixEnd(range.prefix));
    let count = end.at - start.at;
    for (let block = start.block; block < end.block; block += 1) count += this.#block(block).length;
    return { start, end, count: Math.max(count, 0) };
  }

  /** Visits objects that were found in the order of their keys, until `visit` returns false. */
  scan({ start, end }: LabelledPart, visit: (object: StoredObject) => boolean): void {
    for (let block = start.block; block <= end.block; block += 1) {
      const objects = this.#blocks[block];
      if (objects === undefined) return;
      const stop = block === end.block ? end.at : objects.length;
      for (let at = block === start.block ? start.at : 0; at < stop; at += 1) {
        const object = objects[at];
        if (object === undefined || !visit(object)) return;
      }
    }
  }

  /** Removes one state of an object and adds another; either may be absent. */
  replace(before: StoredObject | undefined, after: StoredObject | undefined): void {
    const was = before === undefined ? undefined : this.#valueOf(before);
    const is = after === undefined ? undefined : this.#valueOf(after);
    if (before !== undefined && was !== undefined && was !== is) this.#remove(was, before.key);
    if (after !== undefined) this.add(after);
  }

  /** Adds an object, or replaces the state with the same key and the same value. Does nothing when the object does not have the label. */
  add(object: StoredObject): void {
    const value = this.#valueOf(object);
    if (value === undefined) return;
    const { key } = object;
    const { block, at } = this.#seek(value, key);
    const objects = this.#blocks[block];
    if (objects === undefined) this.#blocks.push([object]);
    else if (this.#isAt(objects[at], value, key)) {
      objects[at] = object;
      return;
    } else {
      objects.splice(at, 0, object);
      if (objects.length > MOST) this.#split(block, objects);
    }
    this.#size += 1;
  }

  #remove(value: string, key: string): void {
    const { block, at } = this.#seek(value, key);
    const objects = this.#blocks[block];
    if (objects === undefined || !this.#isAt(objects[at], value, key)) return;
    objects.splice(at, 1);
    this.#size -= 1;
    if (objects.length < FEWEST) this.#merge(block, objects);
  }

  /** Divides a full block into copies, which have no spare capacity. */
  #split(block: number, objects: readonly StoredObject[]): void {
    this.#blocks.splice(block, 1, objects.slice(0, MOST / 2), objects.slice(MOST / 2));
  }

  #merge(block: number, objects: readonly StoredObject[]): void {
    if (objects.length === 0) {
      this.#blocks.splice(block, 1);
      return;
    }
    const left = Math.max(block - 1, 0);
    const merged = [...this.#block(left), ...this.#block(left + 1)];
    if (merged.length <= MOST / 2) this.#blocks.splice(left, 2, merged);
  }

  /** The place of the first object that is not before a value and a key; without a key, that is after all objects with the value. */
  #seek(value: string, key: string | undefined): Position {
    let [low, high] = [1, this.#blocks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const first = this.#block(middle)[0];
      if (first !== undefined && this.#compare(first, value, key) <= 0) low = middle + 1;
      else high = middle;
    }
    const block = low - 1;
    const objects = this.#blocks[block] ?? [];
    [low, high] = [0, objects.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const object = objects[middle];
      if (object !== undefined && this.#compare(object, value, key) < 0) low = middle + 1;
      else high = middle;
    }
    return { block, at: low };
  }

  #compare(object: StoredObject, value: string, key: string | undefined): number {
    const own = this.#valueOf(object) ?? '';
    if (own !== value) return own < value ? -1 : 1;
    return key === undefined ? -1 : object.compareKey(key);
  }

  #isAt(object: StoredObject | undefined, value: string, key: string): boolean {
    return object?.hasKey(key) === true && this.#valueOf(object) === value;
  }

  #valueOf(object: StoredObject): string | undefined {
    return object.labels.labels[this.label];
  }

  #block(index: number): readonly StoredObject[] {
    return this.#blocks[index] ?? [];
  }
}
