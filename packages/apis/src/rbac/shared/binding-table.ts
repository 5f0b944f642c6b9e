import type { RoleBinding, RoleRef, Subject } from '@orch/kinds/rbac';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, wideColumn } from '../../table.ts';

function roleText(ref: RoleRef): string {
  return `${ref.kind ?? ''}/${ref.name ?? ''}`;
}

const namesOf = (subjects: readonly Subject[], kind: string): string =>
  subjects
    .filter((subject) => subject.kind === kind)
    .map((subject) => {
      const name = subject.name ?? '';
      return kind === 'ServiceAccount' ? `${subject.namespace ?? ''}/${name}` : name;
    })
    .join(', ');

/** Bindings of a namespace and of the cluster have the same table. */
export const roleBindingTable: TableDefinition<RoleBinding> = {
  columns: [
    nameColumn,
    column('Role', 'Kind and name of the role.'),
    ageColumn,
    wideColumn('Users', 'Users who are granted its permissions.'),
    wideColumn('Groups', 'Groups whose members are granted its permissions.'),
    wideColumn('ServiceAccounts', 'Service accounts that are granted its permissions.'),
  ],
  cells(binding) {
    const subjects = binding.subjects ?? [];
    return [
      nameCell(binding),
      roleText(binding.roleRef ?? {}),
      ageCell(binding),
      namesOf(subjects, 'User'),
      namesOf(subjects, 'Group'),
      namesOf(subjects, 'ServiceAccount'),
    ];
  },
};
