import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { storageVersionMigrationStrategy } from './strategy.ts';
import { storageVersionMigrationTable } from './table.ts';
import { StorageVersionMigration } from './v1.ts';
import { storageVersionMigrationLens } from './v1alpha1.lens.ts';
import { StorageVersionMigrationV1Alpha1 } from './v1alpha1.ts';

/**
 * Releases 1.30 (v1alpha1) and 1.35 (v1beta1) introduced the kind, disabled by default; 1.37 serves v1. Here every
 * release has the earlier versions if `--runtime-config` names them: custom resources need migrations there, too.
 */
export const storageVersionMigrations: ResourceType = defineResource({
  group: 'storagemigration',
  resource: 'storageversionmigrations',
  kind: 'StorageVersionMigration',
  namespaced: false,
  versions: [
    { version: 'v1', schema: StorageVersionMigration, introduced: '1.37' },
    {
      version: 'v1beta1',
      schema: StorageVersionMigration,
      onlyByName: { before: '1.35' },
      servedByDefault: false,
      deprecated: '1.37',
      removed: '1.40',
    },
    {
      version: 'v1alpha1',
      schema: StorageVersionMigrationV1Alpha1,
      lens: storageVersionMigrationLens,
      onlyByName: { before: '1.30' },
      deprecated: '1.33',
      removed: '1.35',
      replacement: 'none',
      announced: { before: '1.35', deprecated: '1.33', removed: '1.36', replacement: 'none' },
    },
  ],
  table: storageVersionMigrationTable,
  strategy: storageVersionMigrationStrategy,
  subresources: [statusSubresource('StorageVersionMigration', 'storagemigration')],
});
