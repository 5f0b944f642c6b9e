import { compareKeys } from '@orch/storage';
import { firstKey, itemIndex, prefixEnd, type ValueRange } from './keys.ts';
import type { StoredObject } from './stored-object.ts';

/** Values with more objects have a set of them: in an array, an object is found only by a search. */
const MOST_IN_ARRAY = 1024;

/** The objects of one value: the object itself while it is the only one, since values of some fields are all different. */
type Bucket = StoredObject | StoredObject[] | Set<StoredObject>;

/** Objects by the value of one selectable field. */
export class FieldIndex {
  readonly field: string;
  readonly #position: number;
  readonly #buckets = new Map<string, Bucket>();
  /** The arrays that have been read in the order of keys: their objects are kept in it. */
  readonly #ordered = new Set<readonly StoredObject[]>();

  /** `position` is the index of the field in the resource's `selectableFields`. */
  constructor(field: string, position: number) {
    this.field = field;
    this.#position = position;
  }

  /** Number of objects with a value. */
  count(value: string): number {
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) return 0;
    if (Array.isArray(bucket)) return bucket.length;
    return bucket instanceof Set ? bucket.size : 1;
  }

  /** The objects of a range in the order of their keys. */
  inOrder({ value, ...range }: ValueRange): readonly StoredObject[] {
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) return [];
    const objects = Array.isArray(bucket)
      ? this.#sort(bucket)
      : sorted(bucket instanceof Set ? bucket : [bucket]);
    const end = prefixEnd(range.prefix);
    return objects.slice(
      itemIndex(objects, firstKey(range)),
      end === undefined ? undefined : itemIndex(objects, end),
    );
  }

  /** Removes one state and adds another; either may be absent. */
  replace(before: StoredObject | undefined, after: StoredObject | undefined): void {
    if (before !== undefined && after !== undefined && this.#exchange(before, after)) return;
    if (before !== undefined) this.#remove(before);
    if (after !== undefined) this.add(after);
  }

  /** Does nothing when the object is in the index. */
  add(object: StoredObject): void {
    const value = object.field(this.#position);
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) this.#buckets.set(value, object);
    else if (bucket instanceof Set) bucket.add(object);
    else if (Array.isArray(bucket)) this.#addTo(bucket, value, object);
    else if (bucket !== object) this.#buckets.set(value, [bucket, object]);
  }

  /** Puts an object into the place of one with the same value; false when there is no such place. */
  #exchange(before: StoredObject, after: StoredObject): boolean {
    const value = before.field(this.#position);
    if (after.field(this.#position) !== value) return false;
    const bucket = this.#buckets.get(value);
    if (bucket === before) this.#buckets.set(value, after);
    else if (Array.isArray(bucket)) {
      const at = bucket.indexOf(before);
      if (at < 0) return false;
      bucket[at] = after;
    } else return false;
    return true;
  }

  #addTo(bucket: StoredObject[], value: string, object: StoredObject): void {
    if (bucket.includes(object)) return;
    if (bucket.length >= MOST_IN_ARRAY) {
      this.#ordered.delete(bucket);
      this.#buckets.set(value, new Set(bucket).add(object));
    } else if (this.#ordered.has(bucket)) bucket.splice(itemIndex(bucket, object.key), 0, object);
    else bucket.push(object);
  }

  /** Sorts an array the first time. */
  #sort(bucket: StoredObject[]): readonly StoredObject[] {
    if (this.#ordered.has(bucket)) return bucket;
    for (const [at, object] of sorted(bucket).entries()) bucket[at] = object;
    this.#ordered.add(bucket);
    return bucket;
  }

  #remove(object: StoredObject): void {
    const value = object.field(this.#position);
    const bucket = this.#buckets.get(value);
    if (bucket === object) this.#buckets.delete(value);
    else if (bucket instanceof Set) {
      bucket.delete(object);
      if (bucket.size === 0) this.#buckets.delete(value);
    } else if (Array.isArray(bucket)) this.#removeFrom(bucket, value, object);
  }

  #removeFrom(bucket: StoredObject[], value: string, object: StoredObject): void {
    const at = bucket.indexOf(object);
    if (at < 0) return;
    if (this.#ordered.has(bucket)) bucket.splice(at, 1);
    else {
      const last = bucket.pop();
      if (last !== undefined && at < bucket.length) bucket[at] = last;
    }
    if (bucket.length > 0) return;
    this.#ordered.delete(bucket);
    this.#buckets.delete(value);
  }
}

/** The objects in the order of their keys, which are made once for it. */
function sorted(objects: Iterable<StoredObject>): readonly StoredObject[] {
  const keyed: { readonly key: string; readonly object: StoredObject }[] = [];
  for (const object of objects) keyed.push({ key: object.key, object });
  return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ object }) => object);
}
