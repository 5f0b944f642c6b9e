import { compareKeys, type KeyRange } from '@orch/storage';

/** Ranges that are read at the same time; each holds one answer of the store and the next one. */
const LANES = 3;

/**
 * Divides a range at the prefixes of resources into at most three contiguous ranges, in key order, with about as many
 * resources each. No resource is in two of them.
 */
export function laneRanges(range: KeyRange, prefixes: Iterable<string>): readonly KeyRange[] {
  const inside = [...prefixes]
    .filter((prefix) => compareKeys(prefix, range.start) > 0 && compareKeys(prefix, range.end) < 0)
    .sort(compareKeys);
  const size = Math.max(1, Math.ceil((inside.length + 1) / LANES));
  const starts = [range.start, ...inside.filter((_, index) => (index + 1) % size === 0)];
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? range.end }));
}
