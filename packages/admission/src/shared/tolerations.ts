import type { Toleration } from '@orch/kinds/core';
import { approximateNumber } from '@orch/machinery/json';

/**
 * The tolerations of both lists, without those covered by another one; of equal ones the first is kept. Takes linear
 * time: the lists are user input.
 */
export function mergeTolerations(
  first: readonly Toleration[],
  second: readonly Toleration[],
): readonly Toleration[] {
  const all = [...first, ...second];
  const set = new TolerationSet(all);
  return all.filter((_, index) => set.isKept(index));
}

interface Entry {
  readonly index: number;
  readonly seconds: number;
}

/** A list of tolerations, for lookups in constant time. */
export class TolerationSet {
  readonly #all: readonly Toleration[];
  /** The longest toleration of each bucket. */
  readonly #longest = new Map<string, Entry>();

  constructor(all: readonly Toleration[]) {
    this.#all = all;
    for (const [index, toleration] of all.entries()) {
      const bucket = bucketOf(toleration);
      const seconds = secondsOf(toleration);
      const found = this.#longest.get(bucket);
      if (found === undefined || found.seconds < seconds) this.#longest.set(bucket, { index, seconds });
    }
  }

  /** Reports whether a toleration of the list tolerates everything that the given one does. */
  covers(toleration: Toleration): boolean {
    return this.#hasLonger([bucketOf(toleration), ...widerBuckets(toleration)], toleration);
  }

  /** Reports whether the toleration at an index is the longest of its bucket, and none of a wider bucket covers it. */
  isKept(index: number): boolean {
    const toleration = this.#all[index];
    if (toleration === undefined || this.#longest.get(bucketOf(toleration))?.index !== index) return false;
    return !this.#hasLonger(widerBuckets(toleration), toleration);
  }

  #hasLonger(buckets: readonly string[], toleration: Toleration): boolean {
    const seconds = secondsOf(toleration);
    return buckets.some((bucket) => (this.#longest.get(bucket)?.seconds ?? -Infinity) >= seconds);
  }
}

type Bucket = Pick<Toleration, 'key' | 'operator' | 'value' | 'effect'>;

/** Tolerations of a bucket differ only in the time for which they tolerate. */
const bucketOf = ({ key = '', operator, value = '', effect = '' }: Bucket): string =>
  JSON.stringify(operator === 'Exists' ? [key, 'Exists', effect] : [key, 'Equal', effect, value]);

/** The time limit applies to `NoExecute` only. */
const secondsOf = ({ effect, tolerationSeconds }: Toleration): number =>
  effect === 'NoExecute' ? (approximateNumber(tolerationSeconds) ?? Infinity) : Infinity;

/** The other buckets whose tolerations cover a toleration: an empty key or effect matches all. */
function widerBuckets(toleration: Toleration): readonly string[] {
  const { key = '', operator, value = '', effect = '' } = toleration;
  const own = bucketOf(toleration);
  const ofEffect = (each: string): readonly string[] => [
    ...(operator === 'Exists' ? [] : [bucketOf({ key, value, effect: each })]),
    bucketOf({ key, operator: 'Exists', effect: each }),
    bucketOf({ operator: 'Exists', effect: each }),
  ];
  return [...ofEffect(effect), ...ofEffect('')].filter((bucket) => bucket !== own);
}
