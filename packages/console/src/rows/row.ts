import type { TableColumn, TableRow } from '@orch/client';

/** An object as a row of a list. */
export interface Row {
  /** Namespace and name: unique in a list. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  /** Creation time in epoch milliseconds; 0 when unknown. */
  readonly createdMs: number;
  readonly isTerminating: boolean;
  readonly cells: readonly Cell[];
  /** What searches look at: namespace and cells in lower case. */
  readonly text: string;
}

export type Cell = string | number;

/** The row of a table for an object; undefined for one without a name. */
export function rowOf({ cells, object }: TableRow): Row | undefined {
  const metadata = object?.metadata;
  const name = metadata?.name ?? '';
  if (name === '') return undefined;
  const namespace = metadata?.namespace ?? '';
  const shown = cells.map(cellOf);
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    createdMs: Date.parse(metadata?.creationTimestamp ?? '') || 0,
    isTerminating: metadata?.deletionTimestamp !== undefined,
    cells: shown,
    text: `${namespace} ${shown.join(' ')}`.toLowerCase(),
  };
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

/** Whether a column shows the time since the creation, which the page computes: that of the server becomes outdated. */
export const isAge = ({ name }: Pick<TableColumn, 'name'>): boolean => name === 'Age';

/** The value by which a column orders a row: a number where a cell begins with one, such as `3 (5m ago)`. */
export function sortValue(row: Row, column: TableColumn, index: number): Cell {
  if (isAge(column)) return -row.createdMs;
  const cell = row.cells[index] ?? '';
  if (typeof cell === 'number') return cell;
  const [number] = /^-?\d+(?:\.\d+)?(?=$|[ /%])/.exec(cell) ?? [];
  return number === undefined ? cell : Number(number);
}
