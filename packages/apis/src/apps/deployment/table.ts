import { asNumber, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import {
  containerCells,
  containerColumns,
  readyPartColumn,
  selectorColumn,
  selectorText,
} from '../shared/columns.ts';

export const deploymentTable: TableDefinition = {
  columns: [
    nameColumn,
    readyPartColumn,
    column('Up-to-date', 'Pods that are made from the present template.'),
    column('Available', 'Pods that have been ready for minReadySeconds.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(deployment) {
    const spec = specOf(deployment);
    const status = statusOf(deployment);
    return [
      nameCell(deployment),
      `${asNumber(status['readyReplicas'])}/${asNumber(spec['replicas'])}`,
      asNumber(status['updatedReplicas']),
      asNumber(status['availableReplicas']),
      ageCell(deployment),
      ...containerCells(spec['template']),
      selectorText(spec['selector']),
    ];
  },
};
