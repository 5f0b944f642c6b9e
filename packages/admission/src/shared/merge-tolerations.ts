import type { Toleration } from '@orch/apis/types/core';
import { approximateNumber } from '@orch/machinery';

/**
 * The tolerations of both lists, without those that another one covers; of equal ones the first is kept. Takes linear time:
 * the lists are input of users.
 */
export function mergeTolerations(
  first: readonly Toleration[],
  second: readonly Toleration[],
): readonly Toleration[] {
  const all = [...first, ...second];
  const widest = new Map<string, Entry>();
  for (const [index, toleration] of all.entries()) {
    const bucket = bucketOf(toleration);
    const seconds = secondsOf(toleration);
    const found = widest.get(bucket);
    if (found === undefined || found.seconds < seconds) widest.set(bucket, { index, seconds });
  }
  return all.filter((toleration, index) => isKept(toleration, index, widest));
}

interface Entry {
  readonly index: number;
  readonly seconds: number;
}

type Bucket = Pick<Toleration, 'key' | 'operator' | 'value' | 'effect'>;

/** Tolerations of a bucket differ only in the time for which they tolerate. */
const bucketOf = ({ key = '', operator, value = '', effect = '' }: Bucket): string =>
  JSON.stringify(operator === 'Exists' ? [key, 'Exists', effect] : [key, 'Equal', effect, value]);

/** The time limit applies to `NoExecute` only. */
const secondsOf = ({ effect, tolerationSeconds }: Toleration): number =>
  effect === 'NoExecute' ? (approximateNumber(tolerationSeconds) ?? Infinity) : Infinity;

/** Whether a toleration is the widest of its bucket, and none of a wider bucket covers it. */
function isKept(toleration: Toleration, index: number, widest: ReadonlyMap<string, Entry>): boolean {
  if (widest.get(bucketOf(toleration))?.index !== index) return false;
  const seconds = secondsOf(toleration);
  return !widerBuckets(toleration).some((bucket) => (widest.get(bucket)?.seconds ?? -Infinity) >= seconds);
}

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
