import type { Table, TableColumn, TableRow } from '@orch/client';
import { asStringMap, exactNumberText } from '@orch/machinery/json';
import { humanAge } from '@orch/machinery/time';

/** The style of tables. */
export interface TableOptions {
  /** Also columns with a priority above 0. */
  readonly isWide: boolean;
  readonly hasNamespaces: boolean;
  /** Before names: `deployment.apps`. Empty for none. */
  readonly kindPrefix: string;
  readonly labelColumns: readonly string[];
  readonly showLabels: boolean;
  /** The current time in milliseconds since the epoch. */
  readonly nowMs: number;
}

/** The cells of the header of a table. */
export function headerCells(columns: readonly TableColumn[], options: TableOptions): readonly string[] {
  return [
    ...(options.hasNamespaces ? ['NAMESPACE'] : []),
    ...visible(columns, options).map(([{ name }]) => name.toUpperCase()),
    ...options.labelColumns.map((label) => (label.split('/').at(-1) ?? label).toUpperCase()),
    ...(options.showLabels ? ['LABELS'] : []),
  ];
}

/** The cells of the rows of a table. Namespaces and labels need the metadata of rows. */
export const rowCells = (
  { rows }: Pick<Table, 'rows'>,
  columns: readonly TableColumn[],
  options: TableOptions,
): readonly (readonly string[])[] => {
  const shown = visible(columns, options);
  return rows.map((row) => [
    ...(options.hasNamespaces ? [row.object?.metadata.namespace ?? ''] : []),
    ...shown.map(([column, i]) => cellOf(column, row.cells[i], options)),
    ...labelCells(row, options),
  ]);
};

/** The shown columns with their positions. */
const visible = (
  columns: readonly TableColumn[],
  { isWide }: TableOptions,
): readonly [TableColumn, number][] =>
  columns.flatMap((column, i) =>
    isWide || column.priority === 0 ? [[column, i] as [TableColumn, number]] : [],
  );

function cellOf(column: TableColumn, value: unknown, { kindPrefix, nowMs }: TableOptions): string {
  const isAge = column.type === 'date' && column.name.toLowerCase() === 'age';
  const text = isAge ? ageOf(value, nowMs) : textOf(value);
  return kindPrefix !== '' && column.format === 'name' ? `${kindPrefix}/${text}` : text;
}

/** Servers send ages; the time is sent by those that cannot make tables. Times in other columns, as CREATED AT, are shown. */
function ageOf(value: unknown, nowMs: number): string {
  const time = typeof value === 'string' && /^\d{4}-/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? textOf(value) : humanAge(nowMs - time);
}

/** The first line of a string; more lines are marked. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text =
    typeof value === 'string' ? value : (exactNumberText(value) ?? JSON.stringify(value) ?? String(value));
  const end = text.search(/[\n\r\f]/);
  return end < 0 ? text : `${text.slice(0, end)}...`;
}

function labelCells({ object }: TableRow, { labelColumns, showLabels }: TableOptions): readonly string[] {
  const labels = asStringMap(object?.metadata.labels);
  const named = labelColumns.map((label) => labels[label] ?? '');
  return showLabels ? [...named, labelText(labels)] : named;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.toSorted().join(',');
}
