import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../status-strategy.ts';
import { storageVersionTable } from './table.ts';
import { StorageVersion } from './v1alpha1.ts';

export const storageVersions: ResourceType = defineResource({
  group: 'apiserverinternal',
  resource: 'storageversions',
  kind: 'StorageVersion',
  namespaced: false,
  // Names have at least two parts, as the groups of custom resources do.
  nameFormat: 'crdGroup',
  versions: [{ version: 'v1alpha1', schema: StorageVersion, introduced: '1.20' }],
  table: storageVersionTable,
  strategy: strategyOf({
    unconditionalUpdate: false,
    resetStatus: true,
    prepareForCreate(next) {
      next.status = {};
    },
    prepareForUpdate: keepStatus,
    through: { status: statusOnlyRules() },
  }),
  subresources: [statusSubresource('StorageVersion', 'apiserverinternal', 'v1alpha1')],
});
