import { chain } from '@orch/schema';
import type { ResourceType } from '../resource-type.ts';
import { define, versions } from './shared/define.ts';
import { Role } from './shared/role.ts';
import { Role as RoleV1Alpha1 } from './shared/v1alpha1.role.ts';

export const roles: ResourceType = define({
  resource: 'roles',
  kind: 'Role',
  namespaced: true,
  versions: versions(Role, { schema: RoleV1Alpha1, lens: chain() }),
});
