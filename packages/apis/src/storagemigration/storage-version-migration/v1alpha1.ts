import { f, struct } from '@orch/schema';
import { storageVersionMigrationOf } from './v1.ts';

export const GroupVersionResource = struct(
  'storagemigration.v1alpha1.GroupVersionResource',
  'A resource in one version.',
  {
    group: f.string(1, { doc: 'Its group; empty for the core group.' }),
    version: f.string(2, { doc: 'A version in which it is served.' }),
    resource: f.string(3, { doc: 'Its name in paths: the plural.' }),
  },
);

const MigrationCondition = struct(
  'storagemigration.v1alpha1.MigrationCondition',
  'One aspect of a migration, at its latest observation.',
  {
    type: f.string(1, {
      doc: 'Type of the condition: Running, Succeeded or Failed.',
      presence: 'always',
      required: true,
    }),
    status: f.string(2, {
      doc: 'Whether it holds: True, False or Unknown.',
      presence: 'always',
      required: true,
      enum: ['False', 'True', 'Unknown'],
      openapiEnum: 'never',
    }),
    lastUpdateTime: f.time(3, { doc: 'When the status last changed from one value to another.' }),
    reason: f.string(4, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(5, { doc: 'Human-readable details.' }),
  },
);

const StorageVersionMigrationSpecV1Alpha1 = struct(
  'storagemigration.v1alpha1.StorageVersionMigrationSpec',
  'The objects to migrate. It cannot change later.',
  {
    resource: f.struct(1, GroupVersionResource, {
      doc: 'The resource whose objects are stored again.',
      presence: 'always',
    }),
    continueToken: f.string(2, {
      doc: 'Position of a migration in the list of objects. Written by the system; ignored in requests.',
    }),
  },
);

export const StorageVersionMigrationV1Alpha1 = storageVersionMigrationOf(
  'v1alpha1',
  StorageVersionMigrationSpecV1Alpha1,
  MigrationCondition,
);
