import { struct } from '@orch/schema';
import { deriveLabels } from '../../core/shared/template-labels.ts';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { derivedSelectorField, minReadySecondsField, replicasField } from '../shared/fields.ts';
import { ReplicaSetStatus, replicaSetDoc, replicaSetTemplateField } from './v1.ts';

export const ReplicaSetSpec = struct(
  'extensions.v1beta1.ReplicaSetSpec',
  'Desired number of pods, and their template.',
  {
    replicas: replicasField(1),
    minReadySeconds: minReadySecondsField(4),
    selector: derivedSelectorField(2),
    template: replicaSetTemplateField(),
  },
);

export const ReplicaSet = struct(
  'extensions.v1beta1.ReplicaSet',
  replicaSetDoc,
  {
    metadata: metadataField,
    spec: specField(ReplicaSetSpec),
    status: statusField(ReplicaSetStatus),
  },
  { typeMeta: true, derive: deriveLabels },
);
