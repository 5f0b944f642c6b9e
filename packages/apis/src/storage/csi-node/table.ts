import { asObjects, specOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

export const csiNodeTable: TableDefinition = {
  columns: [nameColumn, column('Drivers', 'Number of drivers on the node.', { type: 'integer' }), ageColumn],
  cells: (node) => [nameCell(node), asObjects(specOf(node)['drivers']).length, ageCell(node)],
};
