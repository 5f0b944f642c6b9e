import { asNumber, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, labelsText, nameCell, nameColumn } from '../../table.ts';
import {
  containerCells,
  containerColumns,
  selectorColumn,
  selectorText,
  templateNodeSelector,
} from '../shared/columns.ts';

export const daemonSetTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Desired', 'Nodes that should run a pod.', { type: 'integer' }),
    column('Current', 'Nodes that run a pod.', { type: 'integer' }),
    column('Ready', 'Nodes whose pod is ready.', { type: 'integer' }),
    column('Up-to-date', 'Nodes whose pod is made from the present template.', { type: 'integer' }),
    column('Available', 'Nodes whose pod has been ready for minReadySeconds.', { type: 'integer' }),
    column('Node Selector', 'Labels of the nodes that run a pod.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(set) {
    const spec = specOf(set);
    const status = statusOf(set);
    return [
      nameCell(set),
      asNumber(status['desiredNumberScheduled']),
      asNumber(status['currentNumberScheduled']),
      asNumber(status['numberReady']),
      asNumber(status['updatedNumberScheduled']),
      asNumber(status['numberAvailable']),
      labelsText(templateNodeSelector(spec)),
      ageCell(set),
      ...containerCells(spec['template']),
      selectorText(spec['selector']),
    ];
  },
};
