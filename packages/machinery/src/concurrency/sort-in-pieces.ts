import { Pace, type Work } from './turns.ts';

type Compare<T> = (a: T, b: T) => number;

export interface SortInPiecesOptions {
  readonly pace?: Pace;
  /** The number of elements that are sorted at once: more of those that are compared quickly. */
  readonly run?: number;
}

/** Strings in the order of their UTF-16 units, which is that of the engine without a comparison. */
export const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The engine sorts strings several times as fast as with a comparison. */
function sorted<T>(run: T[], compare: Compare<T>): T[] {
  return (compare as unknown) === byUnits ? run.sort() : run.sort(compare);
}

/** The elements of a list in order, in pieces. A list that is already in order is returned unchanged, after one pass over it. */
export function* sortInPieces<T>(
  list: readonly T[],
  compare: Compare<T>,
  { pace = new Pace(), run = 256 }: SortInPiecesOptions = {},
): Work<readonly T[]> {
  let ordered = 1;
  for (; ordered < list.length; ordered++) {
    if (pace.isDue()) yield;
    if (compare(list[ordered - 1] as T, list[ordered] as T) > 0) break;
  }
  if (ordered >= list.length) return list;
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < list.length; start += run) {
    runs.push(sorted(list.slice(start, start + run), compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(yield* mergedRuns([runs[i] ?? [], runs[i + 1] ?? []], compare, pace));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** The elements of two sorted runs in order. */
function* mergedRuns<T>(
  [a, b]: readonly [readonly T[], readonly T[]],
  compare: Compare<T>,
  pace: Pace,
): Work<readonly T[]> {
  const merged: T[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (pace.isDue()) yield;
    const isLeft = j >= b.length || (i < a.length && compare(a[i] as T, b[j] as T) <= 0);
    merged.push((isLeft ? a[i] : b[j]) as T);
    if (isLeft) i++;
    else j++;
  }
  return merged;
}
