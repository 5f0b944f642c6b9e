import { f, type SchemaRef, struct } from '@orch/schema';
import { PersistentVolumeClaim } from '../../core/persistent-volume-claim/index.ts';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import {
  collisionCountField,
  conditionsField,
  minReadySecondsField,
  observedGenerationField,
  replicasField,
  revisionHistoryField,
  selectorField,
  templateField,
  workloadCondition,
} from '../shared/fields.ts';
import { hasUsableSelector } from '../shared/validation/selector.ts';
import { deriveClaimTemplates, statefulSetStrategyDefaults } from './defaults.ts';
import { checkPodManagement, checkStatefulSetStrategy } from './validation.ts';

const RollingUpdateStatefulSetStrategy = struct(
  'apps.v1.RollingUpdateStatefulSetStrategy',
  'The pods to replace, and how many at a time.',
  {
    partition: f.int32(1, {
      doc: 'Pods with a lower number stay as they are.',
      presence: 'pointer',
      min: 0,
    }),
    maxUnavailable: f.intOrString(2, {
      doc: 'How many pods may be unavailable during the update: a number or a percentage.',
      presence: 'pointer',
      default: 1,
      since: '1.37',
      gate: 'MaxUnavailableStatefulSet',
    }),
  },
);

/** The update strategy of a StatefulSet, of the type `usual` by default. */
export const statefulSetStrategyOf = (group: string, usual: 'RollingUpdate' | 'OnDelete') =>
  struct(
    `${group}.StatefulSetUpdateStrategy`,
    'A type of rollout, with its parameters.',
    {
      type: f.string(1, {
        doc: `RollingUpdate replaces pods one after the other; OnDelete replaces pods only after they were deleted. ${usual} when empty.`,
        openapiEnum: {
          values: ['OnDelete', 'Recreate', 'RollingUpdate'],
          formerly: { before: '1.37', values: ['OnDelete', 'RollingUpdate'] },
        },
      }),
      rollingUpdate: f.struct(2, RollingUpdateStatefulSetStrategy, {
        doc: 'Only for RollingUpdate.',
        presence: 'pointer',
      }),
    },
    { checks: [checkStatefulSetStrategy], derive: statefulSetStrategyDefaults(usual) },
  );

const StatefulSetUpdateStrategy = statefulSetStrategyOf('apps.v1', 'RollingUpdate');

const retention = (num: number, when: string) =>
  f.string(num, {
    doc: `Retain or Delete: what happens to claims ${when}.`,
    default: 'Retain',
    enum: ['Delete', 'Retain'],
    openapiEnum: 'never',
  });

export const StatefulSetPersistentVolumeClaimRetentionPolicy = struct(
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  'Whether claims are deleted or retained, by the event that leaves them without a pod.',
  {
    whenDeleted: retention(1, 'when the set is deleted'),
    whenScaled: retention(2, 'when the set is scaled down'),
  },
);

export const StatefulSetOrdinals = struct('apps.v1.StatefulSetOrdinals', 'How the pods are numbered.', {
  start: f.int32(1, { doc: 'Number of the first pod.', presence: 'always', openapiRequired: false, min: 0 }),
});

/** Fields of a StatefulSet's spec that are the same in all versions. */
export const statefulSetSpecFields = (updateStrategy: SchemaRef) => ({
  template: templateField(3, {
    validatedSince: '1.34',
    toleratesOldErrors: true,
    validatedIf: hasUsableSelector,
  }),
  volumeClaimTemplates: f.list(4, PersistentVolumeClaim, {
    doc: 'For each of these a separate claim is created per pod, which a replacement of the pod uses again.',
    validatedSince: '1.34',
    validatedOnCreate: true,
  }),
  serviceName: f.string(5, {
    doc: 'Service that defines the host names of the pods; it must exist first.',
    presence: 'always',
    openapiRequired: { since: '1.33', is: false },
  }),
  podManagementPolicy: f.string(6, {
    doc: 'OrderedReady starts and stops pods one after the other; Parallel does not wait.',
    default: 'OrderedReady',
    openapiEnum: { values: ['OrderedReady', 'Parallel'] },
  }),
  updateStrategy: f.struct(7, updateStrategy, {
    doc: 'How old pods are replaced by new ones.',
    presence: 'always',
  }),
  revisionHistoryLimit: revisionHistoryField(8, 10, {}),
  minReadySeconds: minReadySecondsField(9, { since: '1.23', gate: 'StatefulSetMinReadySeconds' }),
  persistentVolumeClaimRetentionPolicy: f.struct(10, StatefulSetPersistentVolumeClaimRetentionPolicy, {
    doc: 'What happens to the claims of pods that were removed.',
    presence: 'pointer',
    default: {},
    since: '1.27',
    gate: 'StatefulSetAutoDeletePVC',
  }),
  ordinals: f.struct(11, StatefulSetOrdinals, {
    doc: 'How the pods are numbered; from 0 when absent.',
    presence: 'pointer',
    since: '1.27',
    gate: 'StatefulSetStartOrdinal',
  }),
});

export const StatefulSetSpec = struct(
  'apps.v1.StatefulSetSpec',
  'Desired number of pods, their template, and how they are replaced.',
  {
    replicas: replicasField(1),
    selector: selectorField(2),
    ...statefulSetSpecFields(StatefulSetUpdateStrategy),
  },
  { checks: [checkPodManagement], derive: deriveClaimTemplates },
);

export const StatefulSetCondition = workloadCondition('StatefulSet', 'Aspect that the condition describes.');

/** Fields of a StatefulSet's status that are the same in all versions. */
export const statefulSetStatusFields = {
  replicas: f.int32(2, { doc: 'Number of pods.', presence: 'always', min: 0 }),
  readyReplicas: f.int32(3, { doc: 'Pods that are ready.', min: 0 }),
  currentReplicas: f.int32(4, { doc: 'Pods of currentRevision.', min: 0 }),
  updatedReplicas: f.int32(5, { doc: 'Pods of updateRevision.', min: 0 }),
  currentRevision: f.string(6, { doc: 'Revision of the pods with the lowest numbers.' }),
  updateRevision: f.string(7, { doc: 'Revision of the pods with the highest numbers.' }),
  collisionCount: collisionCountField(9),
  conditions: conditionsField(10, StatefulSetCondition),
  availableReplicas: f.int32(11, {
    doc: 'Pods that have been ready for minReadySeconds.',
    presence: 'always',
    openapiRequired: false,
    min: 0,
    since: '1.22',
  }),
};

export const StatefulSetStatus = struct('apps.v1.StatefulSetStatus', 'Observed numbers of pods.', {
  observedGeneration: observedGenerationField(1),
  ...statefulSetStatusFields,
});

export const statefulSetDoc =
  'Runs pods that have separate names, storage and an order, and keep them when they are replaced.';

export const StatefulSet = struct(
  'apps.v1.StatefulSet',
  statefulSetDoc,
  {
    metadata: metadataField,
    spec: specField(StatefulSetSpec, { openapiRequired: { since: '1.37', is: true } }),
    status: statusField(StatefulSetStatus),
  },
  { typeMeta: true },
);
