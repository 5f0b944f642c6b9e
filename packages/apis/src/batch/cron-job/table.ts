import { containerCells, containerColumns, selectorColumn, selectorText } from '../../apps/shared/columns.ts';
import { asObject, asObjects, asText, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone } from '../../table.ts';

function suspendText(suspend: unknown): string {
  if (suspend === undefined) return '<unset>';
  return suspend === true ? 'True' : 'False';
}

export const cronJobTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Schedule', 'When jobs are made.'),
    column('Suspend', 'Whether no jobs are made for now.', { type: 'boolean' }),
    column('Active', 'Jobs that run.', { type: 'integer' }),
    column('Last Schedule', 'Time since a job was made last.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(cronJob) {
    const spec = specOf(cronJob);
    const { active, lastScheduleTime } = statusOf(cronJob);
    const jobSpec = specOf(asObject(spec['jobTemplate']));
    return [
      nameCell(cronJob),
      asText(spec['schedule']),
      suspendText(spec['suspend']),
      asObjects(active).length,
      lastScheduleTime === undefined ? orNone('') : { age: asText(lastScheduleTime) },
      ageCell(cronJob),
      ...containerCells(jobSpec['template']),
      selectorText(jobSpec['selector']),
    ];
  },
};
