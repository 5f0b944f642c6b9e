import { asNumber, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, nameCell, nameColumn } from '../../table.ts';
import {
  containerCells,
  containerColumns,
  currentColumn,
  desiredColumn,
  readyCountColumn,
  selectorColumn,
  selectorText,
} from '../shared/columns.ts';

export const replicaSetTable: TableDefinition = {
  columns: [
    nameColumn,
    desiredColumn,
    currentColumn,
    readyCountColumn,
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(set) {
    const spec = specOf(set);
    const status = statusOf(set);
    return [
      nameCell(set),
      asNumber(spec['replicas']),
      asNumber(status['replicas']),
      asNumber(status['readyReplicas']),
      ageCell(set),
      ...containerCells(spec['template']),
      selectorText(spec['selector']),
    ];
  },
};
