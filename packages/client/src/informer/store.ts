import type { ApiObject } from '@orch/machinery';
import type { IndexFunction, ObjectKey, Store } from './types.ts';

interface Index<T> {
  readonly keysOf: IndexFunction<T>;
  readonly entries: Map<string, Set<ObjectKey>>;
}

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
    const found = this.#indexes.get(index);
    if (found === undefined) throw new TypeError(`there is no index ${JSON.stringify(index)}`);
    const out: T[] = [];
    for (const key of found.entries.get(value) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) out.push(object);
    }
    return out;
  }

  /** Adds an index. The same function under the same name again has no effect; another one throws. */
  addIndex(name: string, keysOf: IndexFunction<T>): void {
    const known = this.#indexes.get(name);
    if (known?.keysOf === keysOf) return;
    if (known !== undefined) throw new TypeError(`the index ${JSON.stringify(name)} exists already`);
    const index: Index<T> = { keysOf, entries: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#objects) this.#enter(name, index, key, object);
  }

  /** Returns the previous object. */
  set(key: ObjectKey, object: T): T | undefined {
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const [name, index] of this.#indexes) {
      if (old !== undefined) this.#leave(name, index, key, old);
      this.#enter(name, index, key, object);
    }
    return old;
  }

  delete(key: ObjectKey): T | undefined {
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#objects.delete(key);
    for (const [name, index] of this.#indexes) this.#leave(name, index, key, old);
    return old;
  }

  #valuesOf(name: string, index: Index<T>, key: ObjectKey, object: T): readonly string[] {
    try {
      return index.keysOf(object);
    } catch (error) {
      this.#onIndexError(name, key, error);
      return [];
    }
  }

  #enter(name: string, index: Index<T>, key: ObjectKey, object: T): void {
    for (const value of this.#valuesOf(name, index, key, object)) {
      const keys = index.entries.get(value);
      if (keys === undefined) index.entries.set(value, new Set([key]));
      else keys.add(key);
    }
  }

  #leave(name: string, index: Index<T>, key: ObjectKey, object: T): void {
    for (const value of this.#valuesOf(name, index, key, object)) {
      const keys = index.entries.get(value);
      if (keys?.delete(key) === true && keys.size === 0) index.entries.delete(value);
    }
  }
}
