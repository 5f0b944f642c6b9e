import { f, struct } from '@orch/schema';
import { deriveLabels } from '../../core/shared/template-labels.ts';
import {
  derivedSelectorField,
  metadataField,
  minReadySecondsField,
  replicasField,
  specDoc,
  statusDoc,
} from '../shared/fields.ts';
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
    metadata: metadataField(),
    spec: f.struct(2, ReplicaSetSpec, { doc: specDoc, presence: 'always' }),
    status: f.struct(3, ReplicaSetStatus, { doc: statusDoc, presence: 'always' }),
  },
  { typeMeta: true, derive: deriveLabels },
);
