import type * as scheduling from '@orch/kinds/scheduling';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { PriorityClass } from './v1.ts';
import { refuseDeleteOfClass } from './validation.ts';

const priorityClassTable: TableDefinition<scheduling.PriorityClass> = {
  columns: [
    nameColumn,
    column('Value', 'The priority.', { type: 'integer' }),
    column('Global-Default', 'Whether pods that name no class get this one.', { type: 'boolean' }),
    ageColumn,
    column('PreemptionPolicy', 'Whether pods of the class displace others.', { since: '1.32' }),
  ],
  cells: (priorityClass) => [
    nameCell(priorityClass),
    priorityClass.value ?? 0,
    priorityClass.globalDefault === true,
    ageCell(priorityClass),
    priorityClass.preemptionPolicy ?? '',
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
  strategy: strategyOf<scheduling.PriorityClass>({
    generation: 'fixed',
    refuseDelete: refuseDeleteOfClass,
  }),
});
