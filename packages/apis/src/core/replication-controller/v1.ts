import { f, items, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { PodTemplateSpec } from '../shared/pod-spec/template.ts';
import { deriveLabels, templateLabels } from '../shared/template-labels.ts';

export const ReplicationControllerCondition = struct(
  'core.v1.ReplicationControllerCondition',
  'What is known of one aspect of a replication controller.',
  {
    type: f.string(1, { doc: 'Such as ReplicaFailure.', presence: 'always' }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
    lastTransitionTime: f.time(3, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(4, { doc: 'One CamelCase word for programs: why it is so.' }),
    message: f.string(5, { doc: 'Details for people.' }),
  },
);

export const ReplicationControllerSpec = struct(
  'core.v1.ReplicationControllerSpec',
  'How many pods there should be, and from what.',
  {
    replicas: f.int32(1, { doc: 'How many pods are wanted.', presence: 'pointer', default: 1, min: 0 }),
    minReadySeconds: f.int32(4, {
      doc: 'Seconds a new pod must be ready before it counts as available.',
      min: 0,
    }),
    selector: f.map(2, items.string, {
      doc: 'Labels of the pods that count; those of the template when empty.',
      mapType: 'atomic',
      default: templateLabels,
    }),
    template: f.struct(3, PodTemplateSpec, {
      doc: 'What pods are made from.',
      presence: 'pointer',
      required: true,
    }),
  },
);

export const ReplicationControllerStatus = struct(
  'core.v1.ReplicationControllerStatus',
  'How many pods there are.',
  {
    replicas: f.int32(1, { doc: 'Pods there are.', presence: 'always', min: 0 }),
    fullyLabeledReplicas: f.int32(2, { doc: 'Pods with all labels of the template.', min: 0 }),
    readyReplicas: f.int32(4, { doc: 'Pods that are ready.', min: 0 }),
    availableReplicas: f.int32(5, { doc: 'Pods that have been ready for minReadySeconds.', min: 0 }),
    observedGeneration: f.int64(3, { doc: 'Generation that the controller has seen.' }),
    conditions: f.list(6, ReplicationControllerCondition, {
      doc: 'Observations about the object, one entry per type.',
      patchStrategy: 'merge',
      patchMergeKey: 'type',
    }),
  },
);

export const ReplicationController = struct(
  'core.v1.ReplicationController',
  'Keeps a number of equal pods running. ReplicaSets and Deployments do more.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, ReplicationControllerSpec, { doc: 'What its owner wants.', presence: 'always' }),
    status: f.struct(3, ReplicationControllerStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
    }),
  },
  { typeMeta: true, derive: deriveLabels },
);
