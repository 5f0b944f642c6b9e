import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { clusterCidrTable } from './table.ts';
import { ClusterCIDR } from './v1alpha1.ts';

export const clusterCidrs: ResourceType = defineResource({
  group: 'networking',
  resource: 'clustercidrs',
  kind: 'ClusterCIDR',
  namespaced: false,
  shortNames: ['cc'],
  versions: [
    {
      version: 'v1alpha1',
      schema: ClusterCIDR,
      introduced: '1.25',
      deprecated: '1.28',
      removed: '1.29',
      replacement: 'none',
      announced: { before: '1.29', deprecated: '1.28', removed: '1.31', replacement: 'none' },
    },
  ],
  table: clusterCidrTable,
  strategy: strategyOf(),
});
