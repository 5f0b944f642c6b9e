import type { CronJob } from '@orch/kinds/batch';
import { containerCells, containerColumns, selectorColumn, selectorText } from '../../apps/shared/columns.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone } from '../../table.ts';

function suspendText(suspend: boolean | undefined): string {
  if (suspend === undefined) return '<unset>';
  return suspend === true ? 'True' : 'False';
}

export const cronJobTable: TableDefinition<CronJob> = {
  columns: [
    nameColumn,
    column('Schedule', 'Schedule of the jobs.'),
    column('Timezone', 'Time zone of the schedule.', { since: '1.30' }),
    column('Suspend', 'Whether the creation of jobs is suspended.', { type: 'boolean' }),
    column('Active', 'Jobs that run.', { type: 'integer' }),
    column('Last Schedule', 'Time since a job was last created.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(cronJob) {
    const spec = cronJob.spec ?? {};
    const { active, lastScheduleTime } = cronJob.status ?? {};
    const jobSpec = spec.jobTemplate?.spec ?? {};
    return [
      nameCell(cronJob),
      spec.schedule ?? '',
      orNone(spec.timeZone ?? ''),
      suspendText(spec.suspend),
      (active ?? []).length,
      lastScheduleTime === undefined ? orNone('') : { age: lastScheduleTime ?? '' },
      ageCell(cronJob),
      ...containerCells(jobSpec.template),
      selectorText(jobSpec.selector),
    ];
  },
};
