import type { Keyed } from './keys.ts';

const FIRST_CAPACITY = 8;
/** At most this share of the places is used. */
const MOST_USED = 0.8;
const GROWTH = 1.35;
/** A table that uses a smaller share of its places becomes smaller. */
const FEW_USED = 0.25;
const HASHES = 2 ** 32;

/**
 * Items by key. It takes about 17 bytes for an item, where a `Map` takes 30 to 50: a reference and the hash of the key, in places that
 * are found by the hash and the ones after it. The order of the items is that of their hashes.
 */
export class KeyTable<T extends Keyed> {
  readonly #seed: number;
  #items: (T | undefined)[] = [];
  /** The hash of the key of each item; 0 for a free place. */
  #hashes = new Uint32Array(0);
  #size = 0;

  /** `seed` should be random, so that nobody can choose keys with equal hashes. */
  constructor(seed: number) {
    this.#seed = seed | 0;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): T | undefined {
    return this.#size === 0 ? undefined : this.#items[this.#placeOf(key, this.#hash(key))];
  }

  /**
   * Adds an item, or replaces the one with the same key. `key` is the key of the item; `before` is the item of that key in the table,
   * when it is known.
   */
  set(item: T, key = item.key, before?: T): void {
    if (this.#size >= this.#items.length * MOST_USED) this.#resize(Math.ceil(this.#items.length * GROWTH));
    const hash = this.#hash(key);
    const place = before === undefined ? this.#placeOf(key, hash) : this.#placeOfItem(before, hash);
    if (this.#hashes[place] === 0) this.#size++;
    this.#hashes[place] = hash;
    this.#items[place] = item;
  }

  /** `before` is the item of the key, when it is known. */
  delete(key: string, before?: T): void {
    if (this.#size === 0) return;
    const hash = this.#hash(key);
    const place = before === undefined ? this.#placeOf(key, hash) : this.#placeOfItem(before, hash);
    if (this.#hashes[place] === 0) return;
    this.#free(place);
    this.#size--;
    const capacity = this.#items.length;
    if (capacity > FIRST_CAPACITY && this.#size < capacity * FEW_USED) this.#resize(Math.ceil(capacity / 2));
  }

  /** The items must not change while they are visited. */
  *values(): Generator<T, undefined> {
    for (const item of this.#items) if (item !== undefined) yield item;
  }

  /** The place of a key, or the free one for it. */
  #placeOf(key: string, hash: number): number {
    const hashes = this.#hashes;
    for (let place = this.#home(hash); ; place = this.#after(place)) {
      const there = hashes[place];
      if (there === 0 || (there === hash && this.#items[place]?.hasKey(key) === true)) return place;
    }
  }

  /** The place of an item that is in the table. */
  #placeOfItem(item: T, hash: number): number {
    let place = this.#home(hash);
    while (this.#items[place] !== item && this.#hashes[place] !== 0) place = this.#after(place);
    return place;
  }

  /** Empties a place, and moves items after it to where a search from their homes finds them. */
  #free(place: number): void {
    let free = place;
    for (let next = this.#after(free); ; next = this.#after(next)) {
      const hash = this.#hashes[next] ?? 0;
      if (hash === 0) break;
      if (this.#distance(this.#home(hash), next) < this.#distance(free, next)) continue;
      this.#hashes[free] = hash;
      this.#items[free] = this.#items[next];
      free = next;
    }
    this.#hashes[free] = 0;
    this.#items[free] = undefined;
  }

  /** Homes are in the order of hashes, so that both tables are visited from front to back. */
  #resize(wanted: number): void {
    const [items, hashes] = [this.#items, this.#hashes];
    const capacity = Math.max(FIRST_CAPACITY, wanted);
    this.#items = new Array<T | undefined>(capacity).fill(undefined);
    this.#hashes = new Uint32Array(capacity);
    for (let from = 0; from < hashes.length; from++) {
      const hash = hashes[from] ?? 0;
      if (hash === 0) continue;
      let place = this.#home(hash);
      while (this.#hashes[place] !== 0) place = this.#after(place);
      this.#hashes[place] = hash;
      this.#items[place] = items[from];
    }
  }

  #home(hash: number): number {
    return Math.floor((hash / HASHES) * this.#items.length);
  }

  #after(place: number): number {
    return place + 1 === this.#items.length ? 0 : place + 1;
  }

  /** Steps from one place to another, past the end of the table where it is before. */
  #distance(from: number, to: number): number {
    return to >= from ? to - from : to - from + this.#items.length;
  }

  /** Never 0. */
  #hash(key: string): number {
    let hash = this.#seed;
    for (let at = 0; at < key.length; at++) {
      hash = Math.imul(hash ^ key.charCodeAt(at), 0x5bd1e995);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash, 0x2c1b3c6d);
    return (hash ^ (hash >>> 13)) >>> 0 || 1;
  }
}
