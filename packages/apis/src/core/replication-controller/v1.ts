import { f, items, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { PodTemplateSpec } from '../shared/pod-spec/template.ts';
import { deriveLabels, templateLabels } from '../shared/template-labels.ts';

export const ReplicationControllerCondition = struct(
  'core.v1.ReplicationControllerCondition',
  'One aspect of the state of a replication controller.',
  {
    type: f.string(1, { doc: 'Such as ReplicaFailure.', presence: 'always' }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
    lastTransitionTime: f.time(3, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(4, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(5, { doc: 'Human-readable details.' }),
  },
);

export const ReplicationControllerSpec = struct(
  'core.v1.ReplicationControllerSpec',
  'Desired number of pods, and their template.',
  {
    replicas: f.int32(1, { doc: 'Desired number of pods.', presence: 'pointer', default: 1, min: 0 }),
    minReadySeconds: f.int32(4, {
      doc: 'Seconds a new pod must be ready before it counts as available.',
      min: 0,
    }),
    selector: f.map(2, items.string, {
      doc: 'Labels of the selected pods; those of the template when empty.',
      mapType: 'atomic',
      default: templateLabels,
    }),
    template: f.struct(3, PodTemplateSpec, {
      doc: 'Template of the pods.',
      presence: 'pointer',
      required: true,
    }),
  },
);

export const ReplicationControllerStatus = struct(
  'core.v1.ReplicationControllerStatus',
  'Observed numbers of pods.',
  {
    replicas: f.int32(1, { doc: 'Number of pods.', presence: 'always', min: 0 }),
    fullyLabeledReplicas: f.int32(2, { doc: 'Pods with all labels of the template.', min: 0 }),
    readyReplicas: f.int32(4, { doc: 'Pods that are ready.', min: 0 }),
    availableReplicas: f.int32(5, { doc: 'Pods that have been ready for minReadySeconds.', min: 0 }),
    observedGeneration: f.int64(3, { doc: 'Generation that the controller has observed.', min: 0 }),
    conditions: f.list(6, ReplicationControllerCondition, {
      doc: 'Observations about the object, one entry per type.',
      patchStrategy: 'merge',
      patchMergeKey: 'type',
    }),
  },
);

export const ReplicationController = struct(
  'core.v1.ReplicationController',
  'Maintains a number of identical pods. ReplicaSets and Deployments have more features.',
  {
    metadata: metadataField,
    spec: specField(ReplicationControllerSpec),
    status: statusField(ReplicationControllerStatus),
  },
  { typeMeta: true, derive: deriveLabels },
);
