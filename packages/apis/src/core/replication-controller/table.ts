import { asNumber, asObject, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import {
  ageCell,
  ageColumn,
  column,
  containersText,
  labelsText,
  nameCell,
  nameColumn,
  wideColumn,
} from '../../table.ts';

export const replicationControllerTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Desired', 'Pods that are wanted.', { type: 'integer' }),
    column('Current', 'Pods that there are.', { type: 'integer' }),
    column('Ready', 'Pods that are ready.', { type: 'integer' }),
    ageColumn,
    wideColumn('Containers', 'Names of the containers.'),
    wideColumn('Images', 'Images of the containers.'),
    wideColumn('Selector', 'Labels of the pods that count.'),
  ],
  cells(controller) {
    const spec = specOf(controller);
    const status = statusOf(controller);
    return [
      nameCell(controller),
      asNumber(spec['replicas']),
      asNumber(status['replicas']),
      asNumber(status['readyReplicas']),
      ageCell(controller),
      ...containersText(specOf(asObject(spec['template']))['containers']),
      labelsText(spec['selector']),
    ];
  },
};
