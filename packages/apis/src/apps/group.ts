import { type KindDeclaration, kindOf } from '../kind-declaration.ts';
import type { ResourceType } from '../resource-type.ts';
import { controllerRevisions } from './controller-revision.ts';
import { daemonSets } from './daemon-set/index.ts';
import { DeploymentRollbackV1Beta1, deployments, ExtensionsDeploymentRollback } from './deployment/index.ts';
import { ExtensionsScale, ScaleV1Beta1, ScaleV1Beta2 } from './older-scales.ts';
import { replicaSets } from './replica-set/index.ts';
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
  kindOf('apps', 'v1beta1', DeploymentRollbackV1Beta1),
  kindOf('apps', 'v1beta1', ScaleV1Beta1),
  kindOf('apps', 'v1beta2', ScaleV1Beta2),
  kindOf('extensions', 'v1beta1', ExtensionsDeploymentRollback),
  kindOf('extensions', 'v1beta1', ExtensionsScale),
];
