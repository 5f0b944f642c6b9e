import type { GroupDeclaration } from '../group-declaration.ts';
import { kindOf } from '../kind-declaration.ts';
import { controllerRevisions } from './controller-revision.ts';
import { daemonSets } from './daemon-set/index.ts';
import { DeploymentRollbackV1Beta1, deployments, ExtensionsDeploymentRollback } from './deployment/index.ts';
import { ExtensionsScale, ScaleV1Beta1, ScaleV1Beta2 } from './older-scales.ts';
import { replicaSets } from './replica-set/index.ts';
import { statefulSets } from './stateful-set/index.ts';

export const appsGroup: GroupDeclaration = {
  key: 'apps',
  priority: 17_800,
  versionPriorities: { v1: 15, v1beta1: 1, v1beta2: 9 },
  types: [controllerRevisions, daemonSets, deployments, replicaSets, statefulSets],
  kinds: [
    kindOf('apps', 'v1beta1', DeploymentRollbackV1Beta1),
    kindOf('apps', 'v1beta1', ScaleV1Beta1),
    kindOf('apps', 'v1beta2', ScaleV1Beta2),
    kindOf('extensions', 'v1beta1', ExtensionsDeploymentRollback),
    kindOf('extensions', 'v1beta1', ExtensionsScale),
  ],
};
