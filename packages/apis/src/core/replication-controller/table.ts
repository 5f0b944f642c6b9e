import type { ReplicationController } from '@orch/kinds/core';
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

export const replicationControllerTable: TableDefinition<ReplicationController> = {
  columns: [
    nameColumn,
    column('Desired', 'Desired number of pods.', { type: 'integer' }),
    column('Current', 'Current number of pods.', { type: 'integer' }),
    column('Ready', 'Pods that are ready.', { type: 'integer' }),
    ageColumn,
    wideColumn('Containers', 'Names of the containers.'),
    wideColumn('Images', 'Images of the containers.'),
    wideColumn('Selector', 'Labels of the selected pods.'),
  ],
  cells(controller) {
    const spec = controller.spec ?? {};
    const status = controller.status ?? {};
    return [
      nameCell(controller),
      spec.replicas ?? 0,
      status.replicas ?? 0,
      status.readyReplicas ?? 0,
      ageCell(controller),
      ...containersText(spec.template?.spec?.containers),
      labelsText(spec.selector),
    ];
  },
};
