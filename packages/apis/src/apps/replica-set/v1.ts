import { f, struct } from '@orch/schema';
import { PodTemplateSpec } from '../../core/shared/pod-spec/template.ts';
import {
  conditionsField,
  metadataField,
  minReadySecondsField,
  observedGenerationField,
  replicasField,
  selectorField,
  specDoc,
  statusDoc,
  workloadCondition,
} from '../shared/fields.ts';

/** In a ReplicaSet the template is published as optional. */
export const replicaSetTemplateField = () =>
  f.struct(3, PodTemplateSpec, { doc: 'What pods are made from.', presence: 'always' });

export const ReplicaSetSpec = struct(
  'apps.v1.ReplicaSetSpec',
  'How many pods there should be, and from what.',
  {
    replicas: replicasField(1),
    minReadySeconds: minReadySecondsField(4),
    selector: selectorField(2),
    template: replicaSetTemplateField(),
  },
);

export const ReplicaSetCondition = workloadCondition('ReplicaSet', 'Such as ReplicaFailure.');

export const ReplicaSetStatus = struct('apps.v1.ReplicaSetStatus', 'How many pods there are.', {
  replicas: f.int32(1, { doc: 'Pods there are.', presence: 'always', min: 0 }),
  fullyLabeledReplicas: f.int32(2, { doc: 'Pods with all labels of the template.', min: 0 }),
  readyReplicas: f.int32(4, { doc: 'Pods that are ready.', min: 0 }),
  availableReplicas: f.int32(5, { doc: 'Pods that have been ready for minReadySeconds.', min: 0 }),
  observedGeneration: observedGenerationField(3),
  conditions: conditionsField(6, ReplicaSetCondition),
});

export const replicaSetDoc = 'Keeps a number of equal pods running. Deployments make and manage them.';

export const ReplicaSet = struct(
  'apps.v1.ReplicaSet',
  replicaSetDoc,
  {
    metadata: metadataField(),
    spec: f.struct(2, ReplicaSetSpec, { doc: specDoc, presence: 'always' }),
    status: f.struct(3, ReplicaSetStatus, { doc: statusDoc, presence: 'always' }),
  },
  { typeMeta: true },
);
