import type { ResourceType } from '../resource-type.ts';
import { clusterRoles } from './cluster-role.ts';
import { clusterRoleBindings } from './cluster-role-binding.ts';
import { roles } from './role.ts';
import { roleBindings } from './role-binding.ts';

/** The resources of access rules, in discovery order. */
export const rbacTypes: readonly ResourceType[] = [clusterRoleBindings, clusterRoles, roleBindings, roles];
