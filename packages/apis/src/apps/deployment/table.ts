import type { Deployment } from '@orch/kinds/apps';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import {
  containerCells,
  containerColumns,
  readyPartColumn,
  selectorColumn,
  selectorText,
} from '../shared/columns.ts';

export const deploymentTable: TableDefinition<Deployment> = {
  columns: [
    nameColumn,
    readyPartColumn,
    column('Up-to-date', 'Pods that were created from the current template.'),
    column('Available', 'Pods that have been ready for minReadySeconds.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(deployment) {
    const spec = deployment.spec ?? {};
    const status = deployment.status ?? {};
    return [
      nameCell(deployment),
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status.updatedReplicas ?? 0,
      status.availableReplicas ?? 0,
      ageCell(deployment),
      ...containerCells(spec.template),
      selectorText(spec.selector),
    ];
  },
};
