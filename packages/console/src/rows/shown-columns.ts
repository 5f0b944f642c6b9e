import type { TableColumn } from '@orch/client';
import { isAge, type Row } from './row.ts';

/** A column of a list with its width. */
export interface ShownColumn {
  readonly column: TableColumn;
  /** Its place in the cells of a row; -1 for the namespace. */
  readonly index: number;
  /** The width in characters. */
  readonly width: number;
}

/** Rows that determine the widths: the widths must not change while the list scrolls. */
const SAMPLE_ROWS = 200;
const MAX_WIDTH = 60;

const namespaceColumn: TableColumn = { name: 'Namespace', type: 'string', format: '', priority: 0 };

/** The columns of a list, without those for wide output; objects of several namespaces have a column for theirs. */
export function shownColumns(
  columns: readonly TableColumn[],
  sample: readonly Row[],
  hasNamespaces: boolean,
): readonly ShownColumn[] {
  const rows = sample.slice(0, SAMPLE_ROWS);
  const width = (name: string, texts: readonly string[]): number =>
    Math.min(MAX_WIDTH, Math.max(name.length + 2, ...texts.map((text) => text.length)));
  const own = columns.flatMap((column, index) => {
    if (column.priority > 0) return [];
    const texts = isAge(column) ? [] : rows.map(({ cells }) => String(cells[index] ?? ''));
    return [{ column, index, width: width(column.name, texts) }];
  });
  if (!hasNamespaces) return own;
  const texts = rows.map(({ namespace }) => namespace);
  return [{ column: namespaceColumn, index: -1, width: width(namespaceColumn.name, texts) }, ...own];
}
