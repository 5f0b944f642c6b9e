import { type FieldError, fieldError } from '@orch/machinery';

/** The first and last number of a part of a list such as `1,3-5`; they are equal for a single number. */
type Range = readonly [first: number, last: number];

const number = /^[+-]?\d+$/;

/** The numbers of a part of a list, or why it has none. Numbers are below `completions`. */
function rangeOf(part: string, completions: number): Range | string {
  const limits = part.split('-', 3);
  if (limits.length > 2) return `${JSON.stringify(part)} has more than two parts separated by '-'`;
  const wrong = limits.find((limit) => !number.test(limit));
  if (wrong !== undefined) return `cannot convert string to integer for index: ${JSON.stringify(wrong)}`;
  const large = limits.find((limit) => Number(limit) >= completions);
  if (large !== undefined) return `too large index: ${JSON.stringify(large)}`;
  const [first = 0, last = first] = limits.map(Number);
  return limits.length > 1 && first >= last ? notIncreasing(first, last) : [first, last];
}

const notIncreasing = (previous: number, current: number): string =>
  `non-increasing order, previous: ${previous}, current: ${current}`;

/** Checks a list of numbers and ranges of numbers, such as `1,3-5`, in increasing order. */
export function checkIndexes(path: string, indexes: string, completions: number): readonly FieldError[] {
  const error = (why: string): readonly FieldError[] => [
    fieldError.invalid(path, indexes, `error parsing ${path.slice('status.'.length)}: ${why}`),
  ];
  let previous: number | undefined;
  for (const part of indexes === '' ? [] : indexes.split(',')) {
    const range = rangeOf(part, completions);
    if (typeof range === 'string') return error(range);
    if (previous !== undefined && previous >= range[0]) return error(notIncreasing(previous, range[0]));
    previous = range[1];
  }
  return [];
}

interface Indexes {
  readonly completedIndexes: string;
  readonly failedIndexes: string;
  readonly completions: number;
}

/** Checks that no number is in both lists, each of which is in increasing order. */
export function checkOverlap(
  path: string,
  { completedIndexes, failedIndexes, completions }: Indexes,
): readonly FieldError[] {
  const rangesOf = (indexes: string): readonly Range[] =>
    indexes.split(',').flatMap((part) => {
      const range = rangeOf(part, completions);
      return typeof range === 'string' ? [] : [range];
    });
  const [completed, failed] = [rangesOf(completedIndexes), rangesOf(failedIndexes)];
  let [i, j] = [0, 0];
  for (;;) {
    const [one, other] = [completed[i], failed[j]];
    if (one === undefined || other === undefined) return [];
    if (one[0] <= other[1] && other[0] <= one[1]) {
      const why = `failedIndexes and completedIndexes overlap at index: ${Math.max(one[0], other[0])}`;
      return [fieldError.invalid(path, failedIndexes, why)];
    }
    if (one[0] <= other[0]) i++;
    else j++;
  }
}
