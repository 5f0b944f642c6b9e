import type { GroupDeclaration } from '../group-declaration.ts';
import { clusterRoles } from './cluster-role.ts';
import { clusterRoleBindings } from './cluster-role-binding.ts';
import { roles } from './role.ts';
import { roleBindings } from './role-binding.ts';

export const rbacGroup: GroupDeclaration = {
  key: 'rbac',
  priority: 17_000,
  versionPriorities: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  types: [clusterRoleBindings, clusterRoles, roleBindings, roles],
};
