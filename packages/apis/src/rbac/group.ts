import { chain } from '@orch/schema';
import { defineResource, type ResourceDeclaration, strategyOf } from '../define-resource.ts';
import type { KindVersion, ResourceType, Strategy } from '../resource-type.ts';
import { roleBindingTable } from './shared/binding-table.ts';
import { ClusterRole, Role } from './shared/role.ts';
import { ClusterRoleBinding, RoleBinding } from './shared/role-binding.ts';
import { bindingLens } from './shared/v1alpha1.lens.ts';
import { ClusterRole as ClusterRoleV1Alpha1, Role as RoleV1Alpha1 } from './shared/v1alpha1.role.ts';
import {
  ClusterRoleBinding as ClusterRoleBindingV1Alpha1,
  RoleBinding as RoleBindingV1Alpha1,
} from './shared/v1alpha1.role-binding.ts';
import { validateBinding } from './shared/validation.ts';

/** All kinds of the group came and went together. */
const versions = (
  schema: KindVersion['schema'],
  alpha: Required<Pick<KindVersion, 'schema' | 'lens'>>,
): readonly KindVersion[] => [
  { version: 'v1', schema, introduced: '1.8' },
  { version: 'v1beta1', schema, introduced: '1.6', deprecated: '1.17', removed: '1.22' },
  { version: 'v1alpha1', ...alpha, introduced: '1.5', deprecated: '1.17', removed: '1.23' },
];

const define = (
  declared: Pick<ResourceDeclaration, 'resource' | 'kind' | 'namespaced' | 'versions' | 'table'>,
  rules: Pick<Strategy, 'validate'> = {},
): ResourceType =>
  defineResource({
    group: 'rbac',
    nameFormat: 'pathSegment',
    strategy: strategyOf({ createOnUpdate: true, ...rules }),
    ...declared,
  });

export const clusterRoleBindings: ResourceType = define(
  {
    resource: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    namespaced: false,
    versions: versions(ClusterRoleBinding, { schema: ClusterRoleBindingV1Alpha1, lens: bindingLens }),
    table: roleBindingTable,
  },
  { validate: (next, _old, { names }) => validateBinding(next, names, false) },
);

// The JSON of roles never differed; the lens that does nothing says that their Protobuf did.
export const clusterRoles: ResourceType = define({
  resource: 'clusterroles',
  kind: 'ClusterRole',
  namespaced: false,
  versions: versions(ClusterRole, { schema: ClusterRoleV1Alpha1, lens: chain() }),
});

export const roleBindings: ResourceType = define(
  {
    resource: 'rolebindings',
    kind: 'RoleBinding',
    namespaced: true,
    versions: versions(RoleBinding, { schema: RoleBindingV1Alpha1, lens: bindingLens }),
    table: roleBindingTable,
  },
  { validate: (next, _old, { names }) => validateBinding(next, names, true) },
);

export const roles: ResourceType = define({
  resource: 'roles',
  kind: 'Role',
  namespaced: true,
  versions: versions(Role, { schema: RoleV1Alpha1, lens: chain() }),
});

/** The resources of access rules, in discovery order. */
export const rbacTypes: readonly ResourceType[] = [clusterRoleBindings, clusterRoles, roleBindings, roles];
