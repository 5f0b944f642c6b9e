import type { ReplicaSet } from '@orch/kinds/apps';
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

export const replicaSetTable: TableDefinition<ReplicaSet> = {
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
    const spec = set.spec ?? {};
    const status = set.status ?? {};
    return [
      nameCell(set),
      spec.replicas ?? 0,
      status.replicas ?? 0,
      status.readyReplicas ?? 0,
      ageCell(set),
      ...containerCells(spec.template),
      selectorText(spec.selector),
    ];
  },
};
