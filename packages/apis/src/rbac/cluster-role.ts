import { chain } from '@orch/schema';
import type { ResourceType } from '../resource-type.ts';
import { define, versions } from './shared/define.ts';
import { ClusterRole } from './shared/role.ts';
import { ClusterRole as ClusterRoleV1Alpha1 } from './shared/v1alpha1.role.ts';

// The JSON of roles is the same in all versions but their Protobuf differs, so the lens is empty.
export const clusterRoles: ResourceType = define({
  resource: 'clusterroles',
  kind: 'ClusterRole',
  namespaced: false,
  versions: versions(ClusterRole, { schema: ClusterRoleV1Alpha1, lens: chain() }),
});
