import { compareKeys, type KeyRange } from '@orch/storage';

/** Ranges that are read concurrently; each holds one response of the store in memory and prefetches the next. */
const MAX_PARTITIONS = 3;

/**
 * Partitions a key range into at most three contiguous ranges, in key order, with about the same number of resources
 * each. Boundaries are prefixes of resources: no resource is in two partitions.
 */
export function partitionRange(range: KeyRange, prefixes: Iterable<string>): readonly KeyRange[] {
  const inside = [...prefixes]
    .filter((prefix) => compareKeys(prefix, range.start) > 0 && compareKeys(prefix, range.end) < 0)
    .sort(compareKeys);
  const size = Math.max(1, Math.ceil((inside.length + 1) / MAX_PARTITIONS));
  const starts = [range.start, ...inside.filter((_, index) => (index + 1) % size === 0)];
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? range.end }));
}
