import { isExactNumber, type MutableJsonObject } from '@orch/machinery/json';

/** Maximum number of entries of each table, a power of two. With the limits below a table has some megabytes at most. */
const SLOTS = 1 << 14;
/** Initial number of entries: most resources have few objects. */
const FIRST_SLOTS = 1 << 7;
/** Longer strings are rarely repeated, and entries for them would keep large objects alive. */
const MAX_STRING = 256;
/** Maximum number of fields and items of a shared value. */
const MAX_NODES = 128;

const PRIME = 0x01000193;
const mix = (hash: number, value: number): number => Math.imul(hash ^ value, PRIME);
const slotOf = (hash: number, slots: number): number => (hash ^ (hash >>> 15)) & (slots - 1);

const table = <T>(slots: number): (T | undefined)[] => new Array<T | undefined>(slots).fill(undefined);

/** Hashes at most sixteen characters: hashes choose a slot, and values are compared. */
function stringHash(text: string): number {
  const { length } = text;
  let hash = mix(0x811c9dc5, length);
  const step = length <= 16 ? 1 : length >> 4;
  for (let i = length - 1; i >= 0; i -= step) hash = mix(hash, text.charCodeAt(i));
  return hash;
}

/** Reports whether two values have identical fields; fields are shared before, so that equal ones are identical. */
function isSame(a: object, b: object): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => item === b[i]);
  }
  if (Array.isArray(b)) return false;
  const names = Object.keys(a);
  const others = Object.keys(b);
  if (names.length !== others.length) return false;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    if (name !== others[i] || (a as MutableJsonObject)[name] !== (b as MutableJsonObject)[name]) return false;
  }
  return true;
}

/**
 * Shares equal parts of many JSON values. Objects of a kind mostly differ in names; equal parts such as containers,
 * labels, owners and names of namespaces are kept once. Tables have a maximum size, and newer values replace older ones,
 * so that no unused value is kept for long. Values are changed in place, and must not be changed afterwards. Measured for
 * 50,000 pods: 0.6 of their wire size instead of 1.6.
 */
export class Sharing {
  #slots = FIRST_SLOTS;
  #strings = table<string>(FIRST_SLOTS);
  #values = table<object>(FIRST_SLOTS);
  /** Number of entries of both tables. */
  #taken = 0;
  /** Results of the traversal, in fields to avoid an allocation per node. */
  #hash = 0;
  #nodes = 0;

  /** The value, or an equal one from before. */
  share<T>(value: T): T {
    this.#nodes = 0;
    return this.#share(value) as T;
  }

  /** Shares the fields of an object, except one, but not the object itself, which is known to be unique. */
  shareFields(object: object, except?: string): void {
    for (const name in object) {
      if (name === except) continue;
      const member = (object as MutableJsonObject)[name];
      this.#nodes = 0;
      const shared = this.#share(member);
      if (shared !== member) (object as MutableJsonObject)[name] = shared;
    }
  }

  #share(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        return this.#string(value);
      case 'number':
        this.#hash = value | 0;
        return value;
      case 'object':
        if (value !== null) return isExactNumber(value) ? value : this.#object(value);
    }
    this.#hash = value === true ? 1 : 2;
    return value;
  }

  #string(text: string): string {
    const hash = stringHash(text);
    this.#hash = hash;
    if (text.length > MAX_STRING) {
      this.#nodes += MAX_NODES;
      return text;
    }
    const slot = slotOf(hash, this.#slots);
    const existing = this.#strings[slot];
    if (existing === text) return existing;
    this.#strings[slot] = text;
    if (existing === undefined) this.#take();
    return text;
  }

  #object(value: object): object {
    const before = this.#nodes;
    this.#nodes = 0;
    const hash = Array.isArray(value) ? this.#items(value) : this.#members(value as MutableJsonObject);
    this.#hash = hash;
    const below = this.#nodes;
    this.#nodes += before;
    if (below > MAX_NODES) return value;
    const slot = slotOf(hash, this.#slots);
    const existing = this.#values[slot];
    if (existing !== undefined && isSame(existing, value)) return existing;
    this.#values[slot] = value;
    if (existing === undefined) this.#take();
    return value;
  }

  /** Larger tables start empty: frequent values are added again. */
  #take(): void {
    this.#taken++;
    if (this.#taken <= this.#slots || this.#slots === SLOTS) return;
    this.#slots = Math.min(4 * this.#slots, SLOTS);
    this.#strings = table(this.#slots);
    this.#values = table(this.#slots);
    this.#taken = 0;
  }

  #items(items: unknown[]): number {
    let hash = 17;
    for (let i = 0; i < items.length; i++) {
      const shared = this.#share(items[i]);
      if (shared !== items[i]) items[i] = shared;
      hash = mix(hash, this.#hash);
      this.#nodes++;
    }
    return hash;
  }

  #members(object: MutableJsonObject): number {
    let hash = 19;
    for (const name in object) {
      const member = object[name];
      const shared = this.#share(member);
      if (shared !== member) object[name] = shared;
      hash = mix(mix(hash, this.#hash), name.length);
      this.#nodes++;
    }
    return hash;
  }
}
