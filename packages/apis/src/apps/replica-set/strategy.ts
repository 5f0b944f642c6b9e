import { statusOf } from '../../read.ts';
import type { Strategy } from '../../resource-type.ts';
import { statusRules } from '../../status-strategy.ts';
import { validateSelecting, workloadStrategy } from '../shared/strategy.ts';
import { checkParts } from '../shared/validation/status.ts';

export const replicaSetStrategy: Strategy = workloadStrategy({
  validate: validateSelecting('ReplicaSet'),
  through: {
    status: statusRules((next) =>
      checkParts(statusOf(next), ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
    ),
  },
});
