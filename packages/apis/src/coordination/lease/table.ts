import { asText, specOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

export const leaseTable: TableDefinition = {
  columns: [nameColumn, column('Holder', 'Who holds the lease.'), ageColumn],
  cells: (lease) => [nameCell(lease), asText(specOf(lease)['holderIdentity']), ageCell(lease)],
};
