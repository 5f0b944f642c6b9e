/** Blanks between columns. */
export const GAP = 3;
/** Minimum width of a column with its gap. */
const MIN_WIDTH = 6;

/** Rows as aligned columns, as kubectl aligns them; the last cell of a row is not padded. Empty without rows. */
export function columnText(rows: readonly (readonly string[])[]): string {
  const widths = columnWidths(rows);
  return rows.map((row) => `${rowText(row, widths)}\n`).join('');
}

/** The width of every column with its gap. */
export function columnWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? MIN_WIDTH, cell.length + GAP);
    });
  return widths;
}

export const rowText = (row: readonly string[], widths: readonly number[]): string =>
  row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? cell.length + GAP))).join('');
