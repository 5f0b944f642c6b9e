import { f, struct } from '@orch/schema';
import {
  derivedSelectorField,
  metadataField,
  minReadySecondsField,
  replicasField,
  specDoc,
  statusDoc,
} from '../../apps/v1/fields.ts';
import { ReplicaSetStatus, replicaSetDoc, replicaSetTemplateField } from '../../apps/v1/replica-set.ts';
import { deriveLabels } from '../../core/shared/template-labels.ts';

export const ReplicaSetSpec = struct(
  'extensions.v1beta1.ReplicaSetSpec',
  'How many pods there should be, and from what.',
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
    metadata: metadataField(),
    spec: f.struct(2, ReplicaSetSpec, { doc: specDoc, presence: 'always' }),
    status: f.struct(3, ReplicaSetStatus, { doc: statusDoc, presence: 'always' }),
  },
  { typeMeta: true, derive: deriveLabels },
);
