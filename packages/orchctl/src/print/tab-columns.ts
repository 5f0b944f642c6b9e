/** Blanks between columns, and the minimum width of a column with them. */
interface Spacing {
  readonly gap: number;
  readonly minWidth: number;
}

const narrow: Spacing = { gap: 2, minWidth: 2 };

/**
 * Lines with tabs as aligned columns. Neighbouring lines share the width of a column as long as each of them has a tab behind it,
 * so that one string may have several tables. The cell behind the last tab of a line is not padded.
 */
export function tabColumns(text: string, spacing = narrow): string {
  const lines = text.split('\n').map((line) => line.split('\t'));
  const widths = lines.map((): number[] => []);
  setWidths({ lines, widths, spacing }, { from: 0, to: lines.length, column: 0 });
  return lines
    .map((cells, i) =>
      cells.map((cell, j) => (j === cells.length - 1 ? cell : padded(cell, widths[i]?.[j] ?? 0))).join(''),
    )
    .join('\n');
}

interface Grid {
  readonly lines: readonly (readonly string[])[];
  readonly widths: readonly number[][];
  readonly spacing: Spacing;
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly column: number;
}

/** Sets the widths of a column and of those to its right, for some lines. */
function setWidths(grid: Grid, { from, to, column }: Part): void {
  const hasColumn = (i: number): boolean => (grid.lines[i]?.length ?? 0) > column + 1;
  for (let start = from; start < to; start++) {
    if (!hasColumn(start)) continue;
    let end = start;
    let width = grid.spacing.minWidth;
    for (; end < to && hasColumn(end); end++)
      width = Math.max(width, lengthOf(grid.lines[end]?.[column] ?? '') + grid.spacing.gap);
    for (let i = start; i < end; i++) grid.widths[i]?.push(width);
    setWidths(grid, { from: start, to: end, column: column + 1 });
    start = end;
  }
}

const lengthOf = (text: string): number => [...text].length;

const padded = (cell: string, width: number): string =>
  cell + ' '.repeat(Math.max(0, width - lengthOf(cell)));
