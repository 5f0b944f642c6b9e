import type * as core from '@orch/kinds/core';
import { formatLabelSelector, labelSelectorFromMap } from '@orch/machinery/selectors';
import { defineResource, scaleSubresource, statusSubresource, strategyOf } from '../../define-resource.ts';
import { fieldReader } from '../../field-reader.ts';
import type { ResourceType, ScaleMapping, Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { replicationControllerView } from './extensions-v1beta1.ts';
import { replicationControllerTable } from './table.ts';
import { ReplicationController } from './v1.ts';
import { validateReplicationController, validateReplicationControllerStatus } from './validation.ts';
import { replicationControllerWarnings } from './warnings.ts';

/** Replication controllers select by a plain map of labels. */
const replicationControllerScale: ScaleMapping<core.ReplicationController> = {
  replicas: (object) => object.spec?.replicas ?? 0,
  setReplicas(object, replicas) {
    object.spec = { ...object.spec, replicas };
  },
  statusReplicas: (object) => object.status?.replicas ?? 0,
  selector: (object) => formatLabelSelector(labelSelectorFromMap(object.spec?.selector ?? {})),
};

const replicationControllerStrategy: Strategy<core.ReplicationController> = strategyOf({
  generation: 'spec',
  resetStatus: true,
  orphanByDefault: true,
  prepareForCreate(next) {
    next.status = { replicas: 0 };
  },
  prepareForUpdate: keepStatus,
  validate: validateReplicationController,
  warnings: replicationControllerWarnings,
  through: { status: statusRules(validateReplicationControllerStatus) },
});

export const replicationControllers: ResourceType = defineResource({
  group: '',
  resource: 'replicationcontrollers',
  kind: 'ReplicationController',
  namespaced: true,
  shortNames: ['rc'],
  categories: ['all'],
  versions: [{ version: 'v1', schema: ReplicationController }, replicationControllerView],
  table: replicationControllerTable,
  strategy: replicationControllerStrategy,
  subresources: [scaleSubresource, statusSubresource('ReplicationController')],
  scale: replicationControllerScale,
  fields: {
    'status.replicas': fieldReader<core.ReplicationController>(['status.replicas'], (object) =>
      String(object.status?.replicas ?? 0),
    ),
  },
});
