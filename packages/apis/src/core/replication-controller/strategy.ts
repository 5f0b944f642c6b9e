import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { validateReplicationController, validateReplicationControllerStatus } from './validation.ts';

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
