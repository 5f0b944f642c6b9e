import { defineResource, strategyOf } from '../../define-resource.ts';
import { asNumber } from '../../read.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { PriorityClass } from './v1.ts';

const priorityClassTable: TableDefinition = {
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

export const priorityClasses: ResourceType = defineResource({
  group: 'scheduling',
  resource: 'priorityclasses',
  kind: 'PriorityClass',
  namespaced: false,
  shortNames: ['pc'],
  versions: [
    { version: 'v1', schema: PriorityClass, introduced: '1.14' },
    { version: 'v1beta1', schema: PriorityClass, introduced: '1.11', deprecated: '1.14', removed: '1.22' },
    { version: 'v1alpha1', schema: PriorityClass, introduced: '1.8', deprecated: '1.14', removed: '1.23' },
  ],
  table: priorityClassTable,
  strategy: strategyOf({ generation: 'fixed' }),
});
