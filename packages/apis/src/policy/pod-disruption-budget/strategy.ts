import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';

export const podDisruptionBudgetStrategy: Strategy = strategyOf({
  unconditionalUpdate: false,
  generation: 'spec',
  resetStatus: true,
  prepareForCreate(next) {
    next['status'] = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  prepareForUpdate: keepStatus,
  through: { status: statusRules() },
});
