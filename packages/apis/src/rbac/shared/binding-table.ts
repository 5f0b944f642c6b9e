import { asObject, asObjects, asText, type JsonObject } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, wideColumn } from '../../table.ts';

function roleText(ref: JsonObject): string {
  return `${asText(ref['kind'])}/${asText(ref['name'])}`;
}

const namesOf = (subjects: readonly JsonObject[], kind: string): string =>
  subjects
    .filter((subject) => subject['kind'] === kind)
    .map((subject) => {
      const name = asText(subject['name']);
      return kind === 'ServiceAccount' ? `${asText(subject['namespace'])}/${name}` : name;
    })
    .join(', ');

/** Bindings of a namespace and of the cluster look alike. */
export const roleBindingTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Role', 'Kind and name of the role.'),
    ageColumn,
    wideColumn('Users', 'Users who get its permissions.'),
    wideColumn('Groups', 'Groups whose members get its permissions.'),
    wideColumn('ServiceAccounts', 'Service accounts that get its permissions.'),
  ],
  cells(binding) {
    const subjects = asObjects(binding['subjects']);
    return [
      nameCell(binding),
      roleText(asObject(binding['roleRef'])),
      ageCell(binding),
      namesOf(subjects, 'User'),
      namesOf(subjects, 'Group'),
      namesOf(subjects, 'ServiceAccount'),
    ];
  },
};
