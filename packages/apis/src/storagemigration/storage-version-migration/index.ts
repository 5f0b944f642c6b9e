import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { storageVersionMigrationStrategy } from './strategy.ts';
import { storageVersionMigrationTable } from './table.ts';
import { storageVersionMigrationLens } from './v1alpha1.lens.ts';
import { StorageVersionMigrationV1Alpha1 } from './v1alpha1.ts';
import { StorageVersionMigration } from './v1beta1.ts';

/**
 * Releases 1.30 (v1alpha1) and 1.35 (v1beta1) introduced the kind, disabled by default. Here every release has it, when
 * `--runtime-config` names it: the objects of a custom resource need migrations in older releases, too.
 */
export const storageVersionMigrations: ResourceType = defineResource({
  group: 'storagemigration',
  resource: 'storageversionmigrations',
  kind: 'StorageVersionMigration',
  namespaced: false,
  versions: [
    {
      version: 'v1beta1',
      schema: StorageVersionMigration,
      onlyByName: true,
      deprecated: '1.38',
      removed: '1.41',
    },
    {
      version: 'v1alpha1',
      schema: StorageVersionMigrationV1Alpha1,
      lens: storageVersionMigrationLens,
      onlyByName: true,
      deprecated: '1.33',
      removed: '1.35',
      replacement: 'none',
    },
  ],
  table: storageVersionMigrationTable,
  strategy: storageVersionMigrationStrategy,
  subresources: [statusSubresource('StorageVersionMigration', 'storagemigration', 'v1beta1')],
});
