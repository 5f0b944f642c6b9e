import { f, items, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { PersistentVolumeClaimSpec } from '../shared/volume/claim-spec.ts';

export const PersistentVolumeClaimCondition = struct(
  'core.v1.PersistentVolumeClaimCondition',
  'One aspect of the state of a claim.',
  {
    type: f.string(1, { doc: 'Such as Resizing.', presence: 'always' }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
    lastProbeTime: f.time(3, { doc: 'When the condition was last checked.', presence: 'always' }),
    lastTransitionTime: f.time(4, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(5, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(6, { doc: 'Human-readable details.' }),
  },
);

export const PersistentVolumeClaimStatus = struct(
  'core.v1.PersistentVolumeClaimStatus',
  'Observed state of a claim.',
  {
    phase: f.string(1, { doc: 'Pending, Bound or Lost.' }),
    accessModes: f.list(2, items.string, { doc: 'Access modes of the bound volume.' }),
    capacity: f.map(3, items.quantity, { doc: 'Size of the bound volume.' }),
    conditions: f.list(4, PersistentVolumeClaimCondition, {
      doc: 'Observations about the object, one entry per type.',
      patchStrategy: 'merge',
      patchMergeKey: 'type',
    }),
    allocatedResources: f.map(5, items.quantity, {
      doc: 'Size that is being allocated, during an expansion.',
      since: '1.32',
      gate: 'RecoverVolumeExpansionFailure',
    }),
    resizeStatus: f.string(6, {
      doc: 'State of the expansion.',
      presence: 'pointer',
      since: '1.32',
      gate: 'RecoverVolumeExpansionFailure',
    }),
  },
);

export const PersistentVolumeClaim = struct(
  'core.v1.PersistentVolumeClaim',
  "A user's request for storage, and claim to the volume that satisfies it.",
  {
    metadata: metadataField,
    spec: specField(PersistentVolumeClaimSpec),
    status: statusField(PersistentVolumeClaimStatus),
  },
  { typeMeta: true, embeddedAs: { kind: 'PersistentVolumeClaim', apiVersion: 'v1' } },
);
