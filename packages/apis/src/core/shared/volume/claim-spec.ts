import { f, items, struct } from '@orch/schema';
import { LabelSelector } from '../../../meta/label-selector.ts';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { TypedLocalObjectReference, TypedObjectReference } from '../references.ts';
import { VolumeResourceRequirements } from '../resources.ts';
import { checkClaimSpec } from '../validation/claim-spec.ts';

/** The access modes that documents list. */
export const publishedAccessModes = {
  since: '1.30',
  values: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
};

export const PersistentVolumeClaimSpec = struct(
  'core.v1.PersistentVolumeClaimSpec',
  'The requested storage.',
  {
    accessModes: f.list(1, items.string, {
      doc: 'Access modes that the volume must support.',
      required: true,
      openapiEnum: publishedAccessModes,
    }),
    selector: f.struct(4, LabelSelector, {
      doc: 'Labels of eligible volumes.',
      presence: 'pointer',
    }),
    resources: f.struct(2, VolumeResourceRequirements, {
      doc: 'Least size, as request of `storage`.',
      presence: 'always',
    }),
    volumeName: f.string(3, { doc: 'Volume that the claim is bound to.' }),
    storageClassName: f.string(5, {
      doc: 'Requested storage class.',
      presence: 'pointer',
      format: 'dns1123subdomain',
    }),
    volumeMode: f.string(6, {
      doc: 'Whether it is used with a file system or as a raw block device.',
      presence: 'pointer',
      default: 'Filesystem',
      enum: ['Block', 'Filesystem'],
      emptyIsInvalid: true,
      openapiEnum: { since: '1.27' },
    }),
    dataSource: f.struct(7, TypedLocalObjectReference, {
      doc: 'Snapshot or claim whose content the new volume receives.',
      presence: 'pointer',
    }),
    dataSourceRef: f.struct(8, TypedObjectReference, {
      doc: 'As dataSource, for objects of any kind.',
      presence: 'pointer',
      since: '1.24',
      gate: 'AnyVolumeDataSource',
      gatedSince: '1.22',
    }),

    volumeAttributesClassName: f.string(9, {
      doc: 'Requested attributes class.',
      presence: 'pointer',
      format: 'dns1123subdomain',
      since: '1.34',
      gate: 'VolumeAttributesClass',
    }),
  },
  { checks: [checkClaimSpec] },
);

export const PersistentVolumeClaimTemplate = struct(
  'core.v1.PersistentVolumeClaimTemplate',
  'Template of claims, one per pod.',
  {
    metadata: f.struct(1, ObjectMeta, { doc: 'Labels and annotations of the claims.', presence: 'always' }),
    spec: f.struct(2, PersistentVolumeClaimSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);
