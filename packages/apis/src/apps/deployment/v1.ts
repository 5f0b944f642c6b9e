import { f, type SchemaRef, struct } from '@orch/schema';
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
  unrequired,
} from '../shared/fields.ts';
import { rollingUpdateDefaults } from '../shared/update-strategy-defaults.ts';
import { hasUsableSelector } from '../shared/validation/selector.ts';
import { checkDeploymentSpec, checkDeploymentStrategy } from './validation.ts';

/** The update strategy of a Deployment. `amount` is the default number of surplus and unavailable pods. */
export function deploymentStrategyOf(group: string, amount: number | string) {
  const RollingUpdateDeployment = struct(
    `${group}.RollingUpdateDeployment`,
    'How fast old pods are replaced by new ones.',
    {
      maxUnavailable: f.intOrString(1, {
        doc: 'How many pods may be unavailable during the update: a number or a percentage.',
        presence: 'pointer',
      }),
      maxSurge: f.intOrString(2, {
        doc: 'How many pods may exist above the desired number during the update: a number or a percentage.',
        presence: 'pointer',
      }),
    },
  );
  return struct(
    `${group}.DeploymentStrategy`,
    'A type of rollout, with its parameters.',
    {
      type: f.string(1, {
        doc: 'RollingUpdate replaces pods gradually; Recreate deletes all old ones first.',
        default: 'RollingUpdate',
        openapiEnum: { values: ['Recreate', 'RollingUpdate'] },
      }),
      rollingUpdate: f.struct(2, RollingUpdateDeployment, {
        doc: 'Only for RollingUpdate.',
        presence: 'pointer',
      }),
    },
    {
      checks: [checkDeploymentStrategy],
      derive: rollingUpdateDefaults({ maxUnavailable: amount, maxSurge: amount }),
    },
  );
}

export const DeploymentStrategy = deploymentStrategyOf('apps.v1', '25%');

/** Fields of a Deployment's spec that are the same in all versions. */
export const deploymentSpecFields = (strategy: SchemaRef, revisions: number) => ({
  template: templateField(3, { validatedIf: hasUsableSelector }),
  strategy: f.struct(4, strategy, {
    doc: 'How old pods are replaced by new ones.',
    presence: 'always',
    patchStrategy: 'retainKeys',
  }),
  minReadySeconds: minReadySecondsField(5),
  revisionHistoryLimit: revisionHistoryField(6, revisions),
  paused: f.bool(7, { doc: 'While true, changes of the template are not rolled out.' }),
});

export const progressDeadlineField = (seconds: number) =>
  f.int32(9, {
    doc: 'Seconds without progress after which a rollout counts as failed; more than minReadySeconds.',
    presence: 'pointer',
    default: seconds,
    min: 0,
  });

export const DeploymentSpec = struct(
  'apps.v1.DeploymentSpec',
  'Desired number of pods, their template, and how they are replaced.',
  {
    replicas: replicasField(1),
    selector: selectorField(2),
    ...deploymentSpecFields(DeploymentStrategy, 10),
    progressDeadlineSeconds: progressDeadlineField(600),
  },
  { checks: [checkDeploymentSpec] },
);

export const DeploymentCondition = struct(
  'apps.v1.DeploymentCondition',
  'One aspect of the state of a Deployment.',
  {
    type: f.string(1, {
      doc: 'Available, Progressing or ReplicaFailure.',
      presence: 'always',
      ...unrequired,
    }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always', ...unrequired }),
    lastUpdateTime: f.time(6, { doc: 'When the condition was last written.', presence: 'always' }),
    lastTransitionTime: f.time(7, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(4, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(5, { doc: 'Human-readable details.' }),
  },
);

export const DeploymentStatus = struct('apps.v1.DeploymentStatus', 'Progress of a Deployment.', {
  observedGeneration: observedGenerationField(1),
  replicas: f.int32(2, { doc: 'Number of pods, both old and new ones.', min: 0 }),
  updatedReplicas: f.int32(3, { doc: 'Pods that were created from the current template.', min: 0 }),
  readyReplicas: f.int32(7, { doc: 'Pods that are ready.', min: 0 }),
  availableReplicas: f.int32(4, { doc: 'Pods that have been ready for minReadySeconds.', min: 0 }),
  unavailableReplicas: f.int32(5, { doc: 'Pods that are still missing, or not available yet.', min: 0 }),

  terminatingReplicas: f.int32(9, {
    doc: 'Pods that are being terminated.',
    presence: 'pointer',
    min: 0,
    since: '1.35',
    gate: 'DeploymentReplicaSetTerminatingReplicas',
  }),
  conditions: conditionsField(6, DeploymentCondition),
  collisionCount: collisionCountField(8),
});

export const deploymentDoc =
  'Maintains a number of identical pods, and replaces them when their template changes.';

export const Deployment = struct(
  'apps.v1.Deployment',
  deploymentDoc,
  {
    metadata: metadataField,
    spec: specField(DeploymentSpec, { openapiRequired: { since: '1.37', is: true } }),
    status: statusField(DeploymentStatus),
  },
  { typeMeta: true },
);
