import type { ApiObject } from '@orch/machinery';
import type { Strategy, StrategyContext } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { validateSelecting, workloadStrategy } from '../shared/strategy.ts';
import { validateDeploymentStatus } from './validation.ts';

/** In older versions the annotation is a member of the spec, so it counts as one. */
function countRollback(next: ApiObject, old: ApiObject, { names }: StrategyContext): void {
  const key = names.annotations.deploymentRollbackTo;
  if (next.metadata.annotations?.[key] === old.metadata.annotations?.[key]) return;
  next.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

export const deploymentStrategy: Strategy = workloadStrategy({
  prepareForUpdate(next, old, context) {
    keepStatus(next, old, context);
    countRollback(next, old, context);
  },
  validate: validateSelecting('Deployment'),
  through: { status: statusRules(validateDeploymentStatus) },
});
