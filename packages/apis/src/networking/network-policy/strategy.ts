import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';

export const networkPolicyStrategy: Strategy = strategyOf({
  generation: 'spec',
  resetStatus: true,
  prepareForCreate(next) {
    // Policies of older releases have no status.
    if (next['status'] !== undefined) next['status'] = {};
  },
  prepareForUpdate: keepStatus,
  through: { status: statusRules() },
});
