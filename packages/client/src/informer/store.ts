import type { ApiObject } from '@orch/machinery';
import type { ObjectKey } from '../objects/object-key.ts';
import type { IndexFunction, Store } from './types.ts';

interface Index<T> {
  readonly name: string;
  readonly keysOf: IndexFunction<T>;
  readonly entries: Map<string, Set<ObjectKey>>;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

/** The objects of an informer by key and by its indexes. An object is not indexed if the index function throws. */
export class IndexedStore<T extends ApiObject> implements Store<T> {
  readonly #objects = new Map<ObjectKey, T>();
  readonly #indexes = new Map<string, Index<T>>();
  readonly #onIndexError: (index: string, key: ObjectKey, error: unknown) => void;

  constructor(onIndexError: (index: string, key: ObjectKey, error: unknown) => void) {
    this.#onIndexError = onIndexError;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: ObjectKey): T | undefined {
    return this.#objects.get(key);
  }

  values(): Iterable<T> {
    return this.#objects.values();
  }

  /** Keys and objects; entries may be deleted during the iteration. */
  entries(): Iterable<[ObjectKey, T]> {
    return this.#objects.entries();
  }

  byIndex(index: string, value: string): readonly T[] {
    const out: T[] = [];
    for (const key of this.#keys(index, value) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) out.push(object);
    }
    return out;
  }

  countByIndex(index: string, value: string): number {
    return this.#keys(index, value)?.size ?? 0;
  }

  #keys(index: string, value: string): ReadonlySet<ObjectKey> | undefined {
    const found = this.#indexes.get(index);
    if (found === undefined) throw new TypeError(`there is no index ${JSON.stringify(index)}`);
    return found.entries.get(value);
  }

  /** Adds an index. The same function under the same name again has no effect; another one throws. */
  addIndex(name: string, keysOf: IndexFunction<T>): void {
    const existing = this.#indexes.get(name);
    if (existing?.keysOf === keysOf) return;
    if (existing !== undefined) throw new TypeError(`the index ${JSON.stringify(name)} exists already`);
    const index: Index<T> = { name, keysOf, entries: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#objects) this.#enter(index, key, this.#valuesOf(index, key, object));
  }

  /** Returns the previous object. */
  set(key: ObjectKey, object: T): T | undefined {
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) {
      const before = old === undefined ? [] : this.#valuesOf(index, key, old);
      const after = this.#valuesOf(index, key, object);
      // Most changes of an object do not change its index values.
      if (isSame(before, after)) continue;
      this.#leave(index, key, before);
      this.#enter(index, key, after);
    }
    return old;
  }

  delete(key: ObjectKey): T | undefined {
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) this.#leave(index, key, this.#valuesOf(index, key, old));
    return old;
  }

  #valuesOf(index: Index<T>, key: ObjectKey, object: T): readonly string[] {
    try {
      return index.keysOf(object);
    } catch (error) {
      this.#onIndexError(index.name, key, error);
      return [];
    }
  }

  #enter(index: Index<T>, key: ObjectKey, values: readonly string[]): void {
    for (const value of values) {
      const keys = index.entries.get(value);
      if (keys === undefined) index.entries.set(value, new Set([key]));
      else keys.add(key);
    }
  }

  #leave(index: Index<T>, key: ObjectKey, values: readonly string[]): void {
    for (const value of values) {
      const keys = index.entries.get(value);
      if (keys?.delete(key) === true && keys.size === 0) index.entries.delete(value);
    }
  }
}
