import { f, type StructSchema, struct } from '@orch/schema';
import { Condition } from '../../meta/condition.ts';
import { GroupResource } from '../../meta/group-resource.ts';
import { metadataField } from '../../meta/standard-fields.ts';

export const StorageVersionMigrationSpec = struct(
  'storagemigration.v1.StorageVersionMigrationSpec',
  'The objects to migrate. It cannot change later.',
  {
    resource: f.struct(1, GroupResource, {
      doc: 'The resource whose objects are stored again. The server chooses the version.',
      presence: 'always',
      openapiRequired: { since: '1.37', is: true },
    }),
  },
);

/** The status in one version; the conditions differ between them. */
const statusOf = (version: string, condition: StructSchema): StructSchema =>
  struct(
    `storagemigration.${version}.StorageVersionMigrationStatus`,
    'How far a migration has advanced, and its result.',
    {
      conditions: f.list(1, condition, {
        doc: 'Running, Succeeded and Failed. At most one of Succeeded and Failed is true, and it remains so.',
        patchStrategy: 'merge',
        patchMergeKey: 'type',
        listType: 'map',
        mapKeys: ['type'],
        uniqueBy: 'type',
      }),
      resourceVersion: f.string(2, {
        doc: 'State of the store at the beginning: objects that were written later are in the storage version already.',
      }),
    },
  );

/** The kind in one version. */
export const storageVersionMigrationOf = (
  version: string,
  spec: StructSchema,
  condition: StructSchema,
): StructSchema =>
  struct(
    `storagemigration.${version}.StorageVersionMigration`,
    'A migration of the stored objects of one resource to its storage version.',
    {
      metadata: metadataField,
      spec: f.struct(2, spec, { doc: 'The objects to migrate.', presence: 'always' }),
      status: f.struct(3, statusOf(version, condition), {
        doc: 'Most recently observed state of the object; written by the system.',
        presence: 'always',
      }),
    },
    { typeMeta: true },
  );

export const StorageVersionMigration = storageVersionMigrationOf(
  'v1',
  StorageVersionMigrationSpec,
  Condition,
);
