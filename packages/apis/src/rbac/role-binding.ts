import type { ResourceType } from '../resource-type.ts';
import { roleBindingTable } from './shared/binding-table.ts';
import { define, versions } from './shared/define.ts';
import { RoleBinding } from './shared/role-binding.ts';
import { bindingLens } from './shared/v1alpha1.lens.ts';
import { RoleBinding as RoleBindingV1Alpha1 } from './shared/v1alpha1.role-binding.ts';
import { validateBinding } from './shared/validation.ts';

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
