import type { ResourceType } from '../resource-type.ts';
import { roleBindingTable } from './shared/binding-table.ts';
import { define, versions } from './shared/define.ts';
import { ClusterRoleBinding } from './shared/role-binding.ts';
import { bindingLens } from './shared/v1alpha1.lens.ts';
import { ClusterRoleBinding as ClusterRoleBindingV1Alpha1 } from './shared/v1alpha1.role-binding.ts';
import { validateBinding } from './shared/validation.ts';

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
