import { type ApiObject, humanAge, timeMs } from '@orch/machinery';
import { containerCells, containerColumns, selectorColumn, selectorText } from '../../apps/shared/columns.ts';
import { asNumber, asText, specOf, statusOf } from '../../read.ts';
import type { Cell, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

/** How many pods succeeded, of those that have to. Without such a number the first success ends the job. */
function completionsText(job: ApiObject): string {
  const { completions, parallelism } = specOf(job);
  const succeeded = asNumber(statusOf(job)['succeeded']);
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return asNumber(parallelism) > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

/** How long a job ran, or has been running. */
function durationCell(job: ApiObject): Cell {
  const { startTime, completionTime } = statusOf(job);
  if (startTime === undefined) return '';
  if (completionTime === undefined) return { age: asText(startTime) };
  const [from, to] = [timeMs(asText(startTime)), timeMs(asText(completionTime))];
  return from === undefined || to === undefined ? '' : humanAge(to - from);
}

export const jobTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Completions', 'Pods that succeeded, of those that have to.'),
    column('Duration', 'How long the job ran, or has been running.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells: (job) => [
    nameCell(job),
    completionsText(job),
    durationCell(job),
    ageCell(job),
    ...containerCells(specOf(job)['template']),
    selectorText(specOf(job)['selector']),
  ],
};
