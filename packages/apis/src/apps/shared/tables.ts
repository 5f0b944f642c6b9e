import { asNumber, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, labelsText, nameCell, nameColumn } from '../../table.ts';
import {
  containerCells,
  containerColumns,
  currentColumn,
  desiredColumn,
  readyCountColumn,
  readyPartColumn,
  selectorColumn,
  selectorText,
  templateNodeSelector,
} from './columns.ts';

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
