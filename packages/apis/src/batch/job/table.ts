import type { Job } from '@orch/kinds/batch';
import { humanAge, timeMs } from '@orch/machinery/time';
import { containerCells, containerColumns, selectorColumn, selectorText } from '../../apps/shared/columns.ts';
import type { Cell, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

/** Number of succeeded pods, of the required number. Without such a number the first success completes the job. */
function completionsText(job: Job): string {
  const { completions, parallelism } = job.spec ?? {};
  const succeeded = job.status?.succeeded ?? 0;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return (parallelism ?? 0) > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

/** Conditions that tell how a job ends, the most telling first; a job that is deleted comes after the first two. */
const ended = ['Complete', 'Failed'];
const pending = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'];

function statusText({ metadata, status }: Job): string {
  const conditions = status?.conditions ?? [];
  const holds = (type: string): boolean =>
    conditions.some((condition) => condition.type === type && condition.status === 'True');
  const found = ended.find(holds);
  if (found !== undefined) return found;
  if ((metadata.deletionTimestamp ?? null) !== null) return 'Terminating';
  return pending.find(holds) ?? 'Running';
}

/** How long a job ran, or has been running. */
function durationCell(job: Job): Cell {
  const { startTime, completionTime } = job.status ?? {};
  if (startTime === undefined) return '';
  if (completionTime === undefined) return { age: startTime ?? '' };
  const [from, to] = [timeMs(startTime ?? ''), timeMs(completionTime ?? '')];
  return from === undefined || to === undefined ? '' : humanAge(to - from);
}

export const jobTable: TableDefinition<Job> = {
  columns: [
    nameColumn,
    column('Status', 'Status of the job.', { since: '1.30' }),
    column('Completions', 'Pods that succeeded, of those that must succeed.'),
    column('Duration', 'How long the job ran, or has been running.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells: (job) => [
    nameCell(job),
    statusText(job),
    completionsText(job),
    durationCell(job),
    ageCell(job),
    ...containerCells(job.spec?.template),
    selectorText(job.spec?.selector),
  ],
};
