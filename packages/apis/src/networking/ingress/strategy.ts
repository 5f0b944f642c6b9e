import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { validateIngress, validateIngressStatus } from './validation/ingress.ts';

export const ingressStrategy: Strategy = strategyOf({
  generation: 'spec',
  resetStatus: true,
  prepareForCreate(next) {
    next['status'] = { loadBalancer: {} };
  },
  prepareForUpdate: keepStatus,
  validate: validateIngress,
  through: { status: statusRules(validateIngressStatus) },
});
