import type { KindDeclaration } from '../registry.ts';
import type { ResourceType } from '../resource-type.ts';
import { controllerRevisions } from './controller-revision/index.ts';
import { daemonSets } from './daemon-set/index.ts';
import { DeploymentRollback as ExtensionsDeploymentRollback } from './deployment/extensions-v1beta1.ts';
import { deployments } from './deployment/index.ts';
import { DeploymentRollback as DeploymentRollbackV1Beta1 } from './deployment/v1beta1.ts';
import { replicaSets } from './replica-set/index.ts';
import { Scale as ExtensionsScale } from './shared/scale.ts';
import { Scale as ScaleV1Beta1 } from './shared/scale-v1beta1.ts';
import { Scale as ScaleV1Beta2 } from './shared/scale-v1beta2.ts';
import { statefulSets } from './stateful-set/index.ts';

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
