import { isExactNumber, type MutableJsonObject } from '@orch/machinery';

/** Most entries of each table, a power of two. Together with the bounds below they hold some megabytes at the most. */
const SLOTS = 1 << 14;
/** Entries to begin with: most resources of a cluster have few objects. */
const FIRST_SLOTS = 1 << 7;
/** Longer strings are rarely the same twice, and remembering them would keep large objects alive. */
const MAX_STRING = 256;
/** MutableJsonObject and items below a value that is remembered. */
const MAX_NODES = 128;

const PRIME = 0x01000193;
const mix = (hash: number, value: number): number => Math.imul(hash ^ value, PRIME);
const slotOf = (hash: number, slots: number): number => (hash ^ (hash >>> 15)) & (slots - 1);

const table = <T>(slots: number): (T | undefined)[] => new Array<T | undefined>(slots).fill(undefined);

/** Looks at sixteen characters at most: hashes only choose a slot, what is there is compared. */
function stringHash(text: string): number {
  const { length } = text;
  let hash = mix(0x811c9dc5, length);
  const step = length <= 16 ? 1 : length >> 4;
  for (let i = length - 1; i >= 0; i -= step) hash = mix(hash, text.charCodeAt(i));
  return hash;
}

/** Whether two values are the same in their members; those were shared before, so that the same ones are identical. */
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
 * Makes equal parts of many JSON values one part: objects of a kind mostly differ in names, and what is the same (the
 * containers of a pod, labels, owners, names of namespaces) is kept once. Tables grow to a fixed size and a newer value
 * takes the place of an older one, so nothing is kept for long that nobody else has. Values are changed in place, and
 * must not be changed by anybody afterwards. Measured over 50,000 pods: 0.6 of their wire size instead of 1.6.
 */
export class Sharing {
  #slots = FIRST_SLOTS;
  #strings = table<string>(FIRST_SLOTS);
  #values = table<object>(FIRST_SLOTS);
  /** Entries of both tables that are taken. */
  #taken = 0;
  /** Results of the walk, beside the value: no pair is made for every node. */
  #hash = 0;
  #nodes = 0;

  /** The value, or an equal one that was met before. */
  share<T>(value: T): T {
    this.#nodes = 0;
    return this.#share(value) as T;
  }

  /** Shares the members of an object but not itself, which is known to be the only one, and leaves one out. */
  shareMembers(object: object, except?: string): void {
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
    const known = this.#strings[slot];
    if (known === text) return known;
    this.#strings[slot] = text;
    if (known === undefined) this.#take();
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
    const known = this.#values[slot];
    if (known !== undefined && isSame(known, value)) return known;
    this.#values[slot] = value;
    if (known === undefined) this.#take();
    return value;
  }

  /** Larger tables begin empty: what is in the smaller ones is met again, or not worth much. */
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
