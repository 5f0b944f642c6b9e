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

/** Lists one after another, without a copy of their elements: a loop over concatenations costs no more than its steps. */
export class ConcatList extends ListValue {
  /** None of them is a concatenation: an element is found in few steps, however often lists were added. */
  readonly parts: readonly ListValue[];
  /** Index after the last element of each part. */
  readonly #ends: readonly number[];
  /** The part that was read last: most reads are in order. */
  #recent = 0;
  readonly length: number;

  constructor(left: ListValue, right: ListValue) {
    super();
    this.parts = [...partsOf(left), ...partsOf(right)];
    let length = 0;
    this.#ends = this.parts.map((part) => {
      length += part.length;
      return length;
    });
    this.length = length;
  }

  at(index: number): Value {
    if (!this.#contains(this.#recent, index)) this.#recent = this.#partOf(index);
    return this.parts[this.#recent]?.at(index - this.#startOf(this.#recent)) ?? null;
  }

  #startOf(part: number): number {
    return part === 0 ? 0 : (this.#ends[part - 1] ?? 0);
  }

  #contains(part: number, index: number): boolean {
    return index >= this.#startOf(part) && index < (this.#ends[part] ?? 0);
  }

  /** The first part that ends after the index. */
  #partOf(index: number): number {
    let low = 0;
    let high = this.parts.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (index < (this.#ends[middle] ?? 0)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const partsOf = (list: ListValue): readonly ListValue[] => (list instanceof ConcatList ? list.parts : [list]);

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
    if (this.has(key)) return false;
    this.set(key, value);
    return true;
  }
  /** Adds an entry, or replaces the value of a key that is present. */
  set(key: Value, value: Value): void {
    const found = mapKey(key);
    if (found !== undefined) this.#entries.set(found, [key, value]);
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
