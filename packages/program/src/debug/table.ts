export type Cell = string | number | boolean;

/** A table as text: columns aligned and separated by commas, so that spreadsheets can read it. */
export function tableText(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [columns, ...rows.map((row) => row.map(cellText))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => (at === line.length - 1 ? cell : `${cell},`.padEnd((widths[at] ?? 0) + 2)))
        .join(''),
    )
    .join('\n');
}

/** Text with separators or control characters is quoted: it may contain what a client has chosen. */
const cellText = (cell: Cell): string =>
  typeof cell === 'string' && /^$|[",\s\p{C}]/u.test(cell) ? JSON.stringify(cell) : String(cell);
