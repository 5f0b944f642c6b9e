import type { LabelSet } from '../types.ts';

/**
 * A label set with the cached outcome of one selector evaluation: `marked` is the outcome of the evaluation that set
 * `mark`.
 */
export class InternedLabels implements LabelSet {
  readonly labels: Readonly<Record<string, string>>;
  readonly hash: number;
  next: InternedLabels | undefined;
  mark: object | undefined;
  marked = false;

  constructor(labels: Readonly<Record<string, string>>, hash: number, next: InternedLabels | undefined) {
    this.labels = labels;
    this.hash = hash;
    this.next = next;
  }
}

/**
 * Maximum number of strings in the table. At the limit the table is emptied; strings that are shared already stay
 * shared.
 */
const MAX_STRINGS = 16_384;
const FIRST_SWEEP = 4096;

const LATIN1 = /^[\0-\xff]*$/;
/** From this length on, a substring in V8 is a slice that keeps its parent string alive. */
const SLICED_FROM = 13;

/**
 * A copy of `text` that keeps no other string alive. A substring may be a view of the whole string, here the text of an
 * object; strings that are kept as long as the object must not hold that text.
 */
export function ownString(text: string): string {
  if (text.length < SLICED_FROM) return text;
  const encoding = LATIN1.test(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}

/**
 * Shares label sets and strings among the objects of one resource: most objects have the same labels as many others, and
 * most field values repeat. Returned values do not keep the arguments alive.
 */
export class Interner {
  #strings = new Map<string, string>();
  #sets = new Map<number, InternedLabels>();
  #count = 0;
  #sweepAt = FIRST_SWEEP;

  get labelSets(): number {
    return this.#count;
  }

  string(text: string): string {
    const shared = this.#strings.get(text);
    if (shared !== undefined) return shared;
    if (this.#strings.size >= MAX_STRINGS) this.#strings = new Map();
    const own = ownString(text);
    this.#strings.set(own, own);
    return own;
  }

  labels(labels: Readonly<Record<string, string>>, previous: InternedLabels | undefined): InternedLabels {
    if (previous !== undefined && sameLabels(previous.labels, labels)) return previous;
    const hash = hashLabels(labels);
    const head = this.#sets.get(hash);
    for (let set = head; set !== undefined; set = set.next) if (sameLabels(set.labels, labels)) return set;
    const own: Record<string, string> = Object.create(null);
    for (const key of Object.keys(labels)) own[this.string(key)] = this.string(labels[key] ?? '');
    const set = new InternedLabels(Object.freeze(own), hash, head);
    this.#sets.set(hash, set);
    this.#count++;
    return set;
  }

  /** Whether the number of label sets has doubled since unused ones were removed. */
  get isSweepDue(): boolean {
    return this.#count >= this.#sweepAt;
  }

  /** Removes unused label sets once the number of sets has doubled. `used` visits the sets that are in use. */
  sweep(used: (visit: (set: LabelSet) => void) => void): void {
    if (!this.isSweepDue) return;
    const kept = new Set<LabelSet>();
    used((set) => kept.add(set));
    const old = this.#sets;
    this.#sets = new Map();
    this.#count = 0;
    for (const head of old.values()) {
      for (
        let set: InternedLabels | undefined = head, next = set.next;
        set !== undefined;
        set = next, next = set?.next
      ) {
        if (!kept.has(set)) continue;
        set.next = this.#sets.get(set.hash);
        this.#sets.set(set.hash, set);
        this.#count++;
      }
    }
    this.#sweepAt = Math.max(FIRST_SWEEP, this.#count * 2);
  }
}

function sameLabels(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  let count = 0;
  for (const key in a) {
    if (a[key] !== b[key]) return false;
    count++;
  }
  for (const _ in b) count--;
  return count === 0;
}

/** FNV-1a over each pair, summed, so that the order of keys does not matter. */
function hashLabels(labels: Readonly<Record<string, string>>): number {
  let sum = 0;
  for (const key in labels) sum = (sum + hashText(labels[key] ?? '', hashText(key, 0x811c9dc5))) | 0;
  return sum;
}

function hashText(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return Math.imul(hash ^ 0x100, 0x01000193);
}
