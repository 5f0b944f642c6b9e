import { f, items, type SchemaRef, type StructSchema, struct } from '@orch/schema';
import { deriveLabels } from '../../core/shared/template-labels.ts';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { derivedSelectorField, replicasField, UNLIMITED } from '../shared/fields.ts';
import {
  DeploymentStatus,
  deploymentDoc,
  deploymentSpecFields,
  deploymentStrategyOf,
  progressDeadlineField,
} from './v1.ts';
import { checkDeploymentSpec } from './validation.ts';

/** The difference between older Deployments of the two groups. */
interface OlderDeployment {
  /** As in message names: `extensions.v1beta1`. */
  readonly group: string;
  readonly strategy: SchemaRef;
  readonly revisions: number;
  readonly deadlineSeconds: number;
}

/** A Deployment with the fields that apps/v1 no longer has, and the request for a rollback to an earlier revision. */
export function olderDeployment({ group, strategy, revisions, deadlineSeconds }: OlderDeployment): {
  readonly Deployment: StructSchema;
  readonly DeploymentRollback: StructSchema;
} {
  const RollbackConfig = struct(`${group}.RollbackConfig`, 'The revision to roll back to.', {
    revision: f.int64(1, { doc: 'Number of the revision; the previous one when 0.' }),
  });
  const spec = struct(
    `${group}.DeploymentSpec`,
    'Desired number of pods, their template, and how they are replaced.',
    {
      replicas: replicasField(1),
      selector: derivedSelectorField(2),
      ...deploymentSpecFields(strategy, revisions),
      rollbackTo: f.struct(8, RollbackConfig, {
        doc: 'Requests a rollback to an earlier revision; removed when the rollback is done.',
        presence: 'pointer',
      }),
      progressDeadlineSeconds: progressDeadlineField(deadlineSeconds),
    },
    { checks: [checkDeploymentSpec] },
  );
  return {
    Deployment: struct(
      `${group}.Deployment`,
      deploymentDoc,
      {
        metadata: metadataField,
        spec: specField(spec),
        status: statusField(DeploymentStatus),
      },
      { typeMeta: true, derive: deriveLabels },
    ),
    DeploymentRollback: struct(
      `${group}.DeploymentRollback`,
      'Requests a rollback of a Deployment to an earlier revision.',
      {
        name: f.string(1, { doc: 'Name of the Deployment.', presence: 'always', required: true }),
        updatedAnnotations: f.map(2, items.string, { doc: 'Annotations that are added to the Deployment.' }),
        rollbackTo: f.struct(3, RollbackConfig, {
          doc: 'The revision to roll back to.',
          presence: 'always',
          openapiRequired: true,
        }),
      },
      { typeMeta: true },
    ),
  };
}

/** In this version most numbers had no limit, and pods were replaced one by one. */
export const { Deployment, DeploymentRollback } = olderDeployment({
  group: 'extensions.v1beta1',
  strategy: deploymentStrategyOf('extensions.v1beta1', 1),
  revisions: UNLIMITED,
  deadlineSeconds: UNLIMITED,
});
