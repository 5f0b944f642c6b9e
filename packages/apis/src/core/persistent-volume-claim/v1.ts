import { f, items, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { PersistentVolumeClaimSpec, publishedAccessModes } from '../shared/volume/claim-spec.ts';
import { VolumeHealth } from '../shared/volume/health.ts';
import { resizeStates } from './validation.ts';

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

export const ModifyVolumeStatus = struct(
  'core.v1.ModifyVolumeStatus',
  'State of a change of the attributes class of a volume.',
  {
    targetVolumeAttributesClassName: f.string(1, { doc: 'Class that the volume is changed to.' }),
    status: f.string(2, {
      doc: 'Pending, InProgress or Infeasible.',
      presence: 'always',
      openapiEnum: { values: ['InProgress', 'Infeasible', 'Pending'] },
    }),
  },
);

export const PersistentVolumeClaimStatus = struct(
  'core.v1.PersistentVolumeClaimStatus',
  'Observed state of a claim.',
  {
    phase: f.string(1, {
      doc: 'Pending, Bound or Lost.',
      default: 'Pending',
      openapiEnum: { values: ['Bound', 'Lost', 'Pending'] },
    }),
    accessModes: f.list(2, items.string, {
      doc: 'Access modes of the bound volume.',
      openapiEnum: publishedAccessModes,
    }),
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
      since: '1.28',
      until: '1.28',
      gate: 'RecoverVolumeExpansionFailure',
      openapiEnum: {
        since: '1.27',
        values: [
          '',
          'ControllerExpansionFailed',
          'ControllerExpansionInProgress',
          'NodeExpansionFailed',
          'NodeExpansionInProgress',
          'NodeExpansionPending',
        ],
      },
    }),

    allocatedResourceStatuses: f.map(7, items.string, {
      doc: 'State of the expansion, by resource.',
      mapType: 'granular',
      since: '1.32',
      gate: 'RecoverVolumeExpansionFailure',
      gatedSince: '1.28',
      openapiEnum: {
        since: '1.30',
        values: resizeStates,
        formerly: {
          before: '1.31',
          values: [
            'ControllerResizeFailed',
            'ControllerResizeInProgress',
            'NodeResizeFailed',
            'NodeResizeInProgress',
            'NodeResizePending',
          ],
        },
      },
    }),
    currentVolumeAttributesClassName: f.string(8, {
      doc: 'Attributes class in effect.',
      presence: 'pointer',
      since: '1.34',
      gate: 'VolumeAttributesClass',
    }),
    modifyVolumeStatus: f.struct(9, ModifyVolumeStatus, {
      doc: 'State of a change of the attributes class.',
      presence: 'pointer',
      since: '1.34',
      gate: 'VolumeAttributesClass',
    }),
    healthStatus: f.struct(10, VolumeHealth, {
      doc: 'Health of the volume, as its driver reports it.',
      presence: 'pointer',
      since: 'never',
      gate: 'CSIVolumeHealth',
      gatedSince: '1.37',
    }),
  },
);

export const PersistentVolumeClaim = struct(
  'core.v1.PersistentVolumeClaim',
  "A user's request for storage, and claim to the volume that satisfies it.",
  {
    // Metadata of a claim template; `metadata.name` of a claim has the rules of its strategy.
    metadata: { ...metadataField, validatedSince: 'never' },
    spec: specField(PersistentVolumeClaimSpec),
    status: statusField(PersistentVolumeClaimStatus),
  },
  { typeMeta: true, embeddedAs: { kind: 'PersistentVolumeClaim', apiVersion: 'v1' } },
);
