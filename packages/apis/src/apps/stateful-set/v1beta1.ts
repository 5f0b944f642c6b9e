import { f, struct } from '@orch/schema';
import { deriveLabels } from '../../core/shared/template-labels.ts';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { derivedSelectorField, replicasField } from '../shared/fields.ts';
import { deriveClaimTemplates } from './defaults.ts';
import {
  statefulSetDoc,
  statefulSetSpecFields,
  statefulSetStatusFields,
  statefulSetStrategyOf,
} from './v1.ts';
import { checkPodManagement } from './validation.ts';

export const StatefulSetSpec = struct(
  'apps.v1beta1.StatefulSetSpec',
  'Desired number of pods, their template, and how they are replaced.',
  {
    replicas: replicasField(1),
    selector: derivedSelectorField(2),
    ...statefulSetSpecFields(statefulSetStrategyOf('apps.v1beta1', 'OnDelete')),
  },
  { checks: [checkPodManagement], derive: deriveClaimTemplates },
);

export const StatefulSetStatus = struct('apps.v1beta1.StatefulSetStatus', 'Observed numbers of pods.', {
  observedGeneration: f.int64(1, {
    doc: 'Generation that the controller has observed.',
    presence: 'pointer',
    min: 0,
  }),
  ...statefulSetStatusFields,
});

export const StatefulSet = struct(
  'apps.v1beta1.StatefulSet',
  statefulSetDoc,
  {
    metadata: metadataField,
    spec: specField(StatefulSetSpec),
    status: statusField(StatefulSetStatus),
  },
  { typeMeta: true, derive: deriveLabels },
);
