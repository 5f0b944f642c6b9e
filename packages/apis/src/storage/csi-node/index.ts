import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { csiNodeTable } from './table.ts';
import { CSINode } from './v1.ts';

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
  strategy: strategyOf({ unconditionalUpdate: false, deleteReturns: 'object' }),
});
