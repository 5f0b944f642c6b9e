import { asText, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

export const namespaceTable: TableDefinition = {
  columns: [nameColumn, column('Status', 'Active or Terminating.'), ageColumn],
  cells: (namespace) => [nameCell(namespace), asText(statusOf(namespace)['phase']), ageCell(namespace)],
};
