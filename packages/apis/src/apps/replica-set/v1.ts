import { f, struct } from '@orch/schema';
import { PodTemplateSpec } from '../../core/shared/pod-spec/template.ts';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import {
  conditionsField,
  minReadySecondsField,
  observedGenerationField,
  replicasField,
  selectorField,
  workloadCondition,
} from '../shared/fields.ts';
import { hasUsableSelector } from '../shared/validation/selector.ts';

/** In a ReplicaSet the template is published as optional. */
export const replicaSetTemplateField = () =>
  f.struct(3, PodTemplateSpec, {
    doc: 'Template of the pods.',
    presence: 'always',
    validatedIf: hasUsableSelector,
  });

export const ReplicaSetSpec = struct(
  'apps.v1.ReplicaSetSpec',
  'Desired number of pods, and their template.',
  {
    replicas: replicasField(1),
    minReadySeconds: minReadySecondsField(4),
    selector: selectorField(2),
    template: replicaSetTemplateField(),
  },
);

export const ReplicaSetCondition = workloadCondition('ReplicaSet', 'Such as ReplicaFailure.');

export const ReplicaSetStatus = struct('apps.v1.ReplicaSetStatus', 'Observed numbers of pods.', {
  replicas: f.int32(1, { doc: 'Number of pods.', presence: 'always', min: 0 }),
  fullyLabeledReplicas: f.int32(2, { doc: 'Pods with all labels of the template.', min: 0 }),
  readyReplicas: f.int32(4, { doc: 'Pods that are ready.', min: 0 }),
  availableReplicas: f.int32(5, { doc: 'Pods that have been ready for minReadySeconds.', min: 0 }),

  terminatingReplicas: f.int32(7, {
    doc: 'Pods that are being terminated.',
    presence: 'pointer',
    min: 0,
    since: '1.35',
    gate: 'DeploymentReplicaSetTerminatingReplicas',
  }),
  observedGeneration: observedGenerationField(3),
  conditions: conditionsField(6, ReplicaSetCondition),
});

export const replicaSetDoc = 'Maintains a number of identical pods. Deployments create and manage them.';

export const ReplicaSet = struct(
  'apps.v1.ReplicaSet',
  replicaSetDoc,
  {
    metadata: metadataField,
    spec: specField(ReplicaSetSpec, { openapiRequired: { since: '1.37', is: true } }),
    status: statusField(ReplicaSetStatus),
  },
  { typeMeta: true },
);
