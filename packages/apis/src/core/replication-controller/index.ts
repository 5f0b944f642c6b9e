import { formatLabelSelector, labelSelectorFromMap } from '@orch/machinery';
import { defineResource, scaleSubresource, statusSubresource, strategyOf } from '../../define-resource.ts';
import { fieldReader } from '../../field-reader.ts';
import { asNumber, asObject, asStringMap, specOf, statusOf } from '../../read.ts';
import type { ResourceType, ScaleMapping, Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { replicationControllerView } from './extensions-v1beta1.ts';
import { replicationControllerTable } from './table.ts';
import { ReplicationController } from './v1.ts';
import { validateReplicationController, validateReplicationControllerStatus } from './validation.ts';

/** Replication controllers select by a plain map of labels. */
export const replicationControllerScale: ScaleMapping = {
  replicas: (object) => asNumber(specOf(object)['replicas']),
  setReplicas(object, replicas) {
    (asObject(object['spec']) as Record<string, unknown>)['replicas'] = replicas;
  },
  statusReplicas: (object) => asNumber(statusOf(object)['replicas']),
  selector: (object) => formatLabelSelector(labelSelectorFromMap(asStringMap(specOf(object)['selector']))),
};

const replicationControllerStrategy: Strategy = strategyOf({
  generation: 'spec',
  resetStatus: true,
  orphanByDefault: true,
  prepareForCreate(next) {
    next['status'] = { replicas: 0 };
  },
  prepareForUpdate: keepStatus,
  validate: validateReplicationController,
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
    'status.replicas': fieldReader(['status.replicas'], (object) =>
      String(asNumber(statusOf(object)['replicas'])),
    ),
  },
});
