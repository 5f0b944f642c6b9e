import { escapeName } from '../decl/escape.ts';
import { ArrayList, type MapKey, mapKey } from './collections.ts';
import { type EqualsOther, equalValues, type WorkMeter } from './equality.ts';
import { countLookup } from './long-key.ts';
import { ListValue, MapValue, type Value } from './value.ts';

/**
 * A list without a significant order, whose elements are identified by a key: equality ignores the order, and a
 * concatenation keeps the positions of the first list.
 */
export abstract class KeyedList extends ListValue implements EqualsOther {
  readonly #items: ListValue;
  #positions: ReadonlyMap<MapKey, number> | undefined;
  constructor(items: ListValue) {
    super();
    this.#items = items;
  }
  /** Undefined for what cannot be an element. */
  abstract keyOf(element: Value): MapKey | undefined;
  abstract concat(other: ListValue, meter: WorkMeter): ListValue;

  get length(): number {
    return this.#items.length;
  }
  at(index: number): Value {
    return this.#items.at(index);
  }
  equalsValue(other: Value, meter?: WorkMeter): boolean {
    meter?.work(this.length * 20);
    const positions = this.#index(meter);
    const list = other as ListValue;
    for (let i = 0; i < list.length; i++) {
      const element = list.at(i);
      const key = this.#lookupKey(element, meter);
      const position = key === undefined ? undefined : positions.get(key);
      if (position === undefined || !equalValues(this.at(position), element, meter)) return false;
    }
    return true;
  }
  /** The elements of both: one of `other` replaces that of the same key. */
  protected merged(other: ListValue, meter: WorkMeter): ListValue {
    const positions = new Map(this.#index(meter));
    const items = Array.from({ length: this.length }, (_, index) => this.at(index));
    for (let i = 0; i < other.length; i++) {
      const element = other.at(i);
      const key = this.#lookupKey(element, meter);
      const position = key === undefined ? undefined : positions.get(key);
      if (position !== undefined) items[position] = element;
      else {
        if (key !== undefined) positions.set(key, items.length);
        items.push(element);
      }
    }
    return new ArrayList(items);
  }
  #index(meter: WorkMeter | undefined): ReadonlyMap<MapKey, number> {
    if (this.#positions !== undefined) return this.#positions;
    const positions = new Map<MapKey, number>();
    for (let i = 0; i < this.length; i++) {
      const key = this.#lookupKey(this.at(i), meter);
      if (key !== undefined) positions.set(key, i);
    }
    this.#positions = positions;
    return positions;
  }
  #lookupKey(element: Value, meter: WorkMeter | undefined): MapKey | undefined {
    const key = this.keyOf(element);
    countLookup(key, meter);
    return key;
  }
}

/** A list that represents a set of scalars. */
export class SetList extends KeyedList {
  keyOf(element: Value): MapKey | undefined {
    return mapKey(element);
  }
  concat(other: ListValue, meter: WorkMeter): SetList {
    return new SetList(this.merged(other, meter));
  }
}

/** A list of objects that represents a map, by the fields that are its keys. */
export class MapList extends KeyedList {
  readonly #keys: readonly string[];
  constructor(items: ListValue, keys: readonly string[]) {
    super(items);
    this.#keys = keys;
  }
  keyOf(element: Value): MapKey | undefined {
    if (!(element instanceof MapValue)) return undefined;
    const parts = this.#keys.map((name) => {
      const value = element.get(escapeName(name) ?? name);
      const key = value === undefined ? undefined : mapKey(value);
      return typeof key === 'bigint' ? key.toString() : (key ?? null);
    });
    return JSON.stringify(parts);
  }
  concat(other: ListValue, meter: WorkMeter): MapList {
    return new MapList(this.merged(other, meter), this.#keys);
  }
}
