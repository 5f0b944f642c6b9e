import { f, items, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { PersistentVolumeClaimSpec } from '../shared/volume/claim-spec.ts';

export const PersistentVolumeClaimCondition = struct(
  'core.v1.PersistentVolumeClaimCondition',
  'What is known of one aspect of a claim.',
  {
    type: f.string(1, { doc: 'Such as Resizing.', presence: 'always' }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
    lastProbeTime: f.time(3, { doc: 'When the condition was last checked.', presence: 'always' }),
    lastTransitionTime: f.time(4, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(5, { doc: 'One CamelCase word for programs: why it is so.' }),
    message: f.string(6, { doc: 'Details for people.' }),
  },
);

export const PersistentVolumeClaimStatus = struct(
  'core.v1.PersistentVolumeClaimStatus',
  'What a claim got.',
  {
    phase: f.string(1, { doc: 'Pending, Bound or Lost.' }),
    accessModes: f.list(2, items.string, { doc: 'Ways the bound volume can be mounted.' }),
    capacity: f.map(3, items.quantity, { doc: 'Size of the bound volume.' }),
    conditions: f.list(4, PersistentVolumeClaimCondition, {
      doc: 'Observations about the object, one entry per type.',
      patchStrategy: 'merge',
      patchMergeKey: 'type',
    }),
    allocatedResources: f.map(5, items.quantity, {
      doc: 'Size that is being made available, while growing.',
      since: '1.32',
      gate: 'RecoverVolumeExpansionFailure',
    }),
    resizeStatus: f.string(6, {
      doc: 'How far growing has come.',
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
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, PersistentVolumeClaimSpec, { doc: 'What its owner wants.', presence: 'always' }),
    status: f.struct(3, PersistentVolumeClaimStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
    }),
  },
  { typeMeta: true, embeddedAs: { kind: 'PersistentVolumeClaim', apiVersion: 'v1' } },
);
