import type { TableColumn } from '@orch/client';
import { durationText } from '../view/durations.ts';
import { isAge, type Row } from './row.ts';

/** A column of a list, and the time for which ages are shown. */
export interface CellPlace {
  readonly column: TableColumn;
  /** Its place in the cells of a row; -1 for the namespace. */
  readonly index: number;
  readonly nowMs: number;
}

/** What a cell shows. */
export function cellText(row: Row, { column, index, nowMs }: CellPlace): string {
  if (index < 0) return row.namespace;
  if (isAge(column) && row.createdMs > 0) return durationText(nowMs - row.createdMs);
  return String(row.cells[index] ?? '');
}

const failures = /(?:Err|BackOff|Failed|Error|Evicted|Unknown|OOMKilled|NotReady|Lost|Invalid)/;
const waiting = /^(?:Pending|Terminating|ContainerCreating|PodInitializing|Init:|Unschedulable|Released)/;

/** The class of the style of a cell: states that need attention have colors. Their texts say the same. */
export function toneOf({ name }: Pick<TableColumn, 'name'>, text: string): string {
  if (!/^(?:Status|Phase|State|Conditions?|Ready)$/i.test(name)) return '';
  return failures.test(text) ? 'bad' : waiting.test(text) ? 'waiting' : '';
}
