import type { DaemonSet } from '@orch/kinds/apps';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, labelsText, nameCell, nameColumn } from '../../table.ts';
import {
  containerCells,
  containerColumns,
  selectorColumn,
  selectorText,
  templateNodeSelector,
} from '../shared/columns.ts';

export const daemonSetTable: TableDefinition<DaemonSet> = {
  columns: [
    nameColumn,
    column('Desired', 'Nodes that should run a pod.', { type: 'integer' }),
    column('Current', 'Nodes that run a pod.', { type: 'integer' }),
    column('Ready', 'Nodes whose pod is ready.', { type: 'integer' }),
    column('Up-to-date', 'Nodes whose pod was created from the current template.', { type: 'integer' }),
    column('Available', 'Nodes whose pod has been ready for minReadySeconds.', { type: 'integer' }),
    column('Node Selector', 'Labels of the nodes that run a pod.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(set) {
    const spec = set.spec ?? {};
    const status = set.status ?? {};
    return [
      nameCell(set),
      status.desiredNumberScheduled ?? 0,
      status.currentNumberScheduled ?? 0,
      status.numberReady ?? 0,
      status.updatedNumberScheduled ?? 0,
      status.numberAvailable ?? 0,
      labelsText(templateNodeSelector(spec)),
      ageCell(set),
      ...containerCells(spec.template),
      selectorText(spec.selector),
    ];
  },
};
