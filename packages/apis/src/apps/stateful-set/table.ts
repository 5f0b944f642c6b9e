import { asNumber, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, nameCell, nameColumn } from '../../table.ts';
import { containerCells, containerColumns, readyPartColumn } from '../shared/columns.ts';

export const statefulSetTable: TableDefinition = {
  columns: [nameColumn, readyPartColumn, ageColumn, ...containerColumns],
  cells(set) {
    const { replicas, template } = specOf(set);
    return [
      nameCell(set),
      `${asNumber(statusOf(set)['readyReplicas'])}/${asNumber(replicas)}`,
      ageCell(set),
      ...containerCells(template),
    ];
  },
};
