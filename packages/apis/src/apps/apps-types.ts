import { DeploymentRollback as ExtensionsDeploymentRollback } from '../extensions/v1beta1/deployment.ts';
import { Scale as ExtensionsScale } from '../extensions/v1beta1/scale.ts';
import type { KindDeclaration } from '../registry.ts';
import type { ResourceType } from '../resource-type.ts';
import { controllerRevisions } from './controller-revisions.ts';
import { daemonSets } from './daemon-sets.ts';
import { deployments } from './deployments.ts';
import { replicaSets } from './replica-sets.ts';
import { statefulSets } from './stateful-sets.ts';
import { DeploymentRollback as DeploymentRollbackV1Beta1 } from './v1beta1/deployment.ts';
import { Scale as ScaleV1Beta1 } from './v1beta1/scale.ts';
import { Scale as ScaleV1Beta2 } from './v1beta2/scale.ts';

/** The resources of the group, in discovery order; most of them were resources of `extensions` before. */
export const appsTypes: readonly ResourceType[] = [
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  statefulSets,
];

/** Bodies of subresources of older versions. */
export const appsKinds: readonly KindDeclaration[] = [
  { group: 'apps', version: 'v1beta1', kind: 'DeploymentRollback', schema: DeploymentRollbackV1Beta1 },
  { group: 'apps', version: 'v1beta1', kind: 'Scale', schema: ScaleV1Beta1 },
  { group: 'apps', version: 'v1beta2', kind: 'Scale', schema: ScaleV1Beta2 },
  {
    group: 'extensions',
    version: 'v1beta1',
    kind: 'DeploymentRollback',
    schema: ExtensionsDeploymentRollback,
  },
  { group: 'extensions', version: 'v1beta1', kind: 'Scale', schema: ExtensionsScale },
];
