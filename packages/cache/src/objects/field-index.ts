import type { StoredObject } from './stored-object.ts';

/** The objects of one value: the object itself while it is the only one, since values of some fields are all different. */
type Bucket = StoredObject | Set<StoredObject>;

/** Objects by the value of one selectable field. */
export class FieldIndex {
  readonly field: string;
  readonly #position: number;
  readonly #buckets = new Map<string, Bucket>();

  /** `position` is the index of the field in the resource's `selectableFields`. */
  constructor(field: string, position: number) {
    this.field = field;
    this.#position = position;
  }

  /** Number of objects with a value. */
  count(value: string): number {
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) return 0;
    return bucket instanceof Set ? bucket.size : 1;
  }

  /** The objects with a value, in no order. */
  with(value: string): Iterable<StoredObject> {
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) return [];
    return bucket instanceof Set ? bucket : [bucket];
  }

  /** Removes one state and adds another; either may be absent. */
  replace(before: StoredObject | undefined, after: StoredObject | undefined): void {
    if (before !== undefined) this.#remove(before);
    if (after !== undefined) this.add(after);
  }

  /** Does nothing when the object is in the index. */
  add(object: StoredObject): void {
    const value = object.field(this.#position);
    const bucket = this.#buckets.get(value);
    if (bucket instanceof Set) bucket.add(object);
    else if (bucket === undefined) this.#buckets.set(value, object);
    else if (bucket !== object) this.#buckets.set(value, new Set([bucket, object]));
  }

  #remove(object: StoredObject): void {
    const value = object.field(this.#position);
    const bucket = this.#buckets.get(value);
    if (bucket === object) this.#buckets.delete(value);
    if (!(bucket instanceof Set)) return;
    bucket.delete(object);
    if (bucket.size === 0) this.#buckets.delete(value);
  }
}
