/** The known name closest to a mistyped one; undefined when none is close. */
export function nearest(typed: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  // At most a third of the characters differ.
  let least = Math.min(3, Math.floor(typed.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - typed.length) >= least) continue;
    const distance = editDistance(typed, name);
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/**
 * Number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment) that turn `a` into
 * `b`.
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = cell(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? cell(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, exchanged, cell(last, j) + 1, cell(row, j - 1) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return cell(last, b.length);
}

const cell = (row: readonly number[], at: number): number => row[at] ?? Number.POSITIVE_INFINITY;
