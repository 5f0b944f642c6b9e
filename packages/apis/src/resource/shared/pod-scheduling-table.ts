import { asText, specOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

export const podSchedulingTable: TableDefinition = {
  columns: [nameColumn, column('SelectedNode', 'Node that the scheduler has chosen.'), ageColumn],
  cells: (object) => [nameCell(object), asText(specOf(object)['selectedNode']), ageCell(object)],
};
