import { asText } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, countOf, nameCell, nameColumn } from '../../table.ts';

export const secretTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Type', 'What the secret is for.'),
    column('Data', 'Number of values.'),
    ageColumn,
  ],
  cells: (secret) => [nameCell(secret), asText(secret['type']), countOf(secret['data']), ageCell(secret)],
};
