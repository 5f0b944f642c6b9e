import type * as storage from '@orch/kinds/storage';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../status-strategy.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { CSINode } from './v1.ts';

const csiNodeTable: TableDefinition<storage.CSINode> = {
  columns: [nameColumn, column('Drivers', 'Number of drivers on the node.', { type: 'integer' }), ageColumn],
  cells: (node) => [nameCell(node), (node.spec?.drivers ?? []).length, ageCell(node)],
};

export const csiNodes: ResourceType = defineResource({
  group: 'storage',
  resource: 'csinodes',
  kind: 'CSINode',
  namespaced: false,
  versions: [
    { version: 'v1', schema: CSINode, introduced: '1.17' },
    { version: 'v1beta1', schema: CSINode, introduced: '1.14', deprecated: '1.17', removed: '1.22' },
  ],
  table: csiNodeTable,
  strategy: strategyOf<storage.CSINode>({
    unconditionalUpdate: false,
    deleteReturns: 'object',
    resetStatus: true,
    prepareForUpdate: keepStatus,
    through: { status: statusOnlyRules() },
  }),
  subresources: [{ ...statusSubresource('CSINode', 'storage'), introduced: '1.37' }],
});
