import { f, type SchemaRef, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import {
  collisionCountField,
  conditionsField,
  minReadySecondsField,
  observedGenerationField,
  revisionHistoryField,
  selectorField,
  templateField,
  workloadCondition,
} from '../shared/fields.ts';
import { rollingUpdateDefaults } from '../shared/update-strategy-defaults.ts';
import { checkDaemonSetStrategy } from './validation.ts';

export const RollingUpdateDaemonSet = struct(
  'apps.v1.RollingUpdateDaemonSet',
  'How fast old pods are replaced by new ones.',
  {
    maxUnavailable: f.intOrString(1, {
      doc: 'On how many nodes the pod may be unavailable during the update: a number or a percentage.',
      presence: 'pointer',
    }),
    maxSurge: f.intOrString(2, {
      doc: 'On how many nodes an old and a new pod may run during the update: a number or a percentage.',
      presence: 'pointer',
      since: '1.22',
      gate: 'DaemonSetUpdateSurge',
    }),
  },
);

/** The update strategy of a DaemonSet, of the type `usual` by default. */
export const daemonSetStrategyOf = (group: string, usual: 'RollingUpdate' | 'OnDelete') =>
  struct(
    `${group}.DaemonSetUpdateStrategy`,
    'A type of rollout, with its parameters.',
    {
      type: f.string(1, {
        doc: 'RollingUpdate replaces pods gradually; OnDelete replaces pods only after they were deleted.',
        default: usual,
        openapiEnum: { values: ['OnDelete', 'RollingUpdate'] },
      }),
      rollingUpdate: f.struct(2, RollingUpdateDaemonSet, {
        doc: 'Only for RollingUpdate.',
        presence: 'pointer',
      }),
    },
    {
      checks: [checkDaemonSetStrategy],
      derive: rollingUpdateDefaults({ maxUnavailable: 1, maxSurge: 0 }, { maxUnavailable: 0, maxSurge: 0 }),
    },
  );

const DaemonSetUpdateStrategy = daemonSetStrategyOf('apps.v1', 'RollingUpdate');

export const updateStrategyField = (num: number, strategy: SchemaRef) =>
  f.struct(num, strategy, { doc: 'How old pods are replaced by new ones.', presence: 'always' });

export const DaemonSetSpec = struct(
  'apps.v1.DaemonSetSpec',
  'Template of the pods that run on every node, and how they are replaced.',
  {
    selector: selectorField(1),
    template: templateField(2),
    updateStrategy: updateStrategyField(3, DaemonSetUpdateStrategy),
    minReadySeconds: minReadySecondsField(4),
    revisionHistoryLimit: revisionHistoryField(6, 10),
  },
);

export const DaemonSetCondition = workloadCondition('DaemonSet', 'Aspect that the condition describes.');

export const DaemonSetStatus = struct('apps.v1.DaemonSetStatus', 'On how many nodes the pods run.', {
  currentNumberScheduled: f.int32(1, {
    doc: 'Nodes that run a pod of the set and should.',
    presence: 'always',
    min: 0,
  }),
  numberMisscheduled: f.int32(2, {
    doc: 'Nodes that run a pod of the set and should not.',
    presence: 'always',
    min: 0,
  }),
  desiredNumberScheduled: f.int32(3, {
    doc: 'Nodes that should run a pod of the set.',
    presence: 'always',
    min: 0,
  }),
  numberReady: f.int32(4, { doc: 'Nodes whose pod is ready.', presence: 'always', min: 0 }),
  observedGeneration: observedGenerationField(5),
  updatedNumberScheduled: f.int32(6, {
    doc: 'Nodes whose pod was created from the current template.',
    min: 0,
  }),
  numberAvailable: f.int32(7, { doc: 'Nodes whose pod has been ready for minReadySeconds.', min: 0 }),
  numberUnavailable: f.int32(8, { doc: 'Nodes whose pod is missing, or not available yet.', min: 0 }),
  collisionCount: collisionCountField(9),
  conditions: conditionsField(10, DaemonSetCondition),
});

export const daemonSetDoc = 'Runs a copy of a pod on every node, or on those that its template selects.';

export const DaemonSet = struct(
  'apps.v1.DaemonSet',
  daemonSetDoc,
  {
    metadata: metadataField,
    spec: specField(DaemonSetSpec, { openapiRequired: { since: '1.37', is: true } }),
    status: statusField(DaemonSetStatus),
  },
  { typeMeta: true },
);
