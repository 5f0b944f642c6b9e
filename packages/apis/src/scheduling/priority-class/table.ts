import { asNumber } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

export const priorityClassTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Value', 'The priority.', { type: 'integer' }),
    column('Global-Default', 'Whether pods that name no class get this one.', { type: 'boolean' }),
    ageColumn,
  ],
  cells: (priorityClass) => [
    nameCell(priorityClass),
    asNumber(priorityClass['value']),
    priorityClass['globalDefault'] === true,
    ageCell(priorityClass),
  ],
};
