import type { StoredObject } from './stored-object.ts';

/** Objects by the value of one selectable field. */
export class FieldIndex {
  readonly field: string;
  readonly #position: number;
  readonly #objects = new Map<string, Set<StoredObject>>();

  /** `position` is the index of the field in the resource's `selectableFields`. */
  constructor(field: string, position: number) {
    this.field = field;
    this.#position = position;
  }

  with(value: string): ReadonlySet<StoredObject> {
    return this.#objects.get(value) ?? NONE;
  }

  /** Removes one state and adds another; either may be absent. */
  replace(before: StoredObject | undefined, after: StoredObject | undefined): void {
    if (before !== undefined) this.#remove(before);
    if (after !== undefined) this.#add(after);
  }

  #add(object: StoredObject): void {
    const value = object.fields[this.#position] ?? '';
    const there = this.#objects.get(value);
    if (there === undefined) this.#objects.set(value, new Set([object]));
    else there.add(object);
  }

  #remove(object: StoredObject): void {
    const value = object.fields[this.#position] ?? '';
    const there = this.#objects.get(value);
    if (there === undefined) return;
    there.delete(object);
    if (there.size === 0) this.#objects.delete(value);
  }
}

const NONE: ReadonlySet<never> = Object.freeze(new Set<never>());
