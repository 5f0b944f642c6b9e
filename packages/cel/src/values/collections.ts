import { Double, intOf, ListValue, MapValue, Uint, type Value } from './value.ts';

export class ArrayList extends ListValue {
  readonly #items: readonly Value[];
  constructor(items: readonly Value[]) {
    super();
    this.#items = items;
  }
  get length(): number {
    return this.#items.length;
  }
  at(index: number): Value {
    return this.#items[index] as Value;
  }
}

/** Two lists as one, without a copy: a loop over concatenations costs no more than its steps. */
export class ConcatList extends ListValue {
  readonly #left: ListValue;
  readonly #right: ListValue;
  readonly length: number;
  constructor(left: ListValue, right: ListValue) {
    super();
    this.#left = left;
    this.#right = right;
    this.length = left.length + right.length;
  }
  at(index: number): Value {
    const { length } = this.#left;
    return index < length ? this.#left.at(index) : this.#right.at(index - length);
  }
}

/** The lookup key of a map entry: equal numbers of all types are the same key. Undefined when nothing can equal it. */
export type MapKey = string | boolean | number | bigint;

export function mapKey(key: Value): MapKey | undefined {
  if (typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean') return key;
  if (typeof key === 'bigint') return key;
  if (key instanceof Uint) return intOf(key.value);
  if (!(key instanceof Double) || !Number.isInteger(key.value)) return undefined;
  return intOf(BigInt(key.value));
}

/** A map built by an expression. */
export class EntryMap extends MapValue {
  readonly #entries = new Map<MapKey, readonly [Value, Value]>();
  get size(): number {
    return this.#entries.size;
  }
  /** False when the key is present already. */
  add(key: Value, value: Value): boolean {
    const found = mapKey(key);
    if (found === undefined || this.#entries.has(found)) return false;
    this.#entries.set(found, [key, value]);
    return true;
  }
  get(key: Value): Value | undefined {
    const found = mapKey(key);
    return found === undefined ? undefined : this.#entries.get(found)?.[1];
  }
  has(key: Value): boolean {
    const found = mapKey(key);
    return found !== undefined && this.#entries.has(found);
  }
  keys(): readonly Value[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }
}

export const isMapKey = (key: Value): boolean =>
  typeof key === 'string' ||
  typeof key === 'boolean' ||
  typeof key === 'number' ||
  typeof key === 'bigint' ||
  key instanceof Uint;
