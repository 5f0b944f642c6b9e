import { strategyOf } from '../../../define-resource.ts';
import type { Strategy } from '../../../resource-type.ts';
import {
  validateReplicationController,
  validateReplicationControllerStatus,
} from '../validation/replication-controller.ts';
import { keepStatus, statusRules } from './status.ts';

export const replicationControllerStrategy: Strategy = strategyOf({
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
