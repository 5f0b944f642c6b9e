import type * as scheduling from '@orch/kinds/scheduling';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../status-strategy.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { policyText, workloadText } from '../shared/cells.ts';
import { CompositePodGroup } from './v1alpha3.ts';

const compositePodGroupTable: TableDefinition<scheduling.CompositePodGroupV1alpha3> = {
  columns: [
    nameColumn,
    column('Policy', 'How the groups are scheduled.'),
    column('Workload', 'Name of the workload with the template of the group.'),
    ageColumn,
  ],
  cells: (group) => [nameCell(group), policyText(group), workloadText(group), ageCell(group)],
};

export const compositePodGroups: ResourceType = defineResource({
  group: 'scheduling',
  resource: 'compositepodgroups',
  kind: 'CompositePodGroup',
  namespaced: true,
  versions: [{ version: 'v1alpha3', schema: CompositePodGroup, introduced: '1.37' }],
  table: compositePodGroupTable,
  strategy: strategyOf<scheduling.CompositePodGroupV1alpha3>({
    unconditionalUpdate: false,
    resetStatus: true,
    prepareForUpdate: keepStatus,
    through: { status: statusOnlyRules() },
  }),
  subresources: [statusSubresource('CompositePodGroup', 'scheduling', 'v1alpha3')],
});
