import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import type { PodSchedulingContextV1alpha2 } from '../../types/resource.ts';

export const podSchedulingTable: TableDefinition<PodSchedulingContextV1alpha2> = {
  columns: [nameColumn, column('SelectedNode', 'Node that the scheduler has chosen.'), ageColumn],
  cells: (object) => [nameCell(object), object.spec?.selectedNode ?? '', ageCell(object)],
};
