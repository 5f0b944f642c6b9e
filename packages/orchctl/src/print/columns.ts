/** Blanks between columns. */
const GAP = 3;

/** Rows as aligned columns; the last one is not padded. Empty without rows. */
export function columnText(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  return rows.map((row) => `${lineOf(row, widths)}\n`).join('');
}

/** As kubectl aligns: every column but the last is as wide as its widest cell and the gap. */
const lineOf = (row: readonly string[], widths: readonly number[]): string =>
  row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd((widths[i] ?? 0) + GAP))).join('');
