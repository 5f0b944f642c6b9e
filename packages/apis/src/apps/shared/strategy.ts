import type { ApiObject, FieldError } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import { statusOf } from '../../read.ts';
import type { Strategy, StrategyContext } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { validateDeploymentStatus } from '../deployment/validation.ts';
import {
  validateEarlierStatefulSet,
  validateStatefulSet,
  validateStatefulSetStatus,
} from '../stateful-set/validation.ts';
import { checkParts } from './validation/status.ts';
import { checkSelectorKept, validateWorkload } from './validation/workload.ts';

/** What the strategies of all workloads have in common. */
export const workloadStrategy = (different: Partial<Strategy>): Strategy =>
  strategyOf({ generation: 'spec', resetStatus: true, prepareForUpdate: keepStatus, ...different });

const validateSelecting =
  (kind: string) =>
  (next: ApiObject, old: ApiObject | undefined, context: StrategyContext): readonly FieldError[] => [
    ...validateWorkload(next, kind),
    ...checkSelectorKept(next, old, context),
  ];

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

export const replicaSetStrategy: Strategy = workloadStrategy({
  validate: validateSelecting('ReplicaSet'),
  through: {
    status: statusRules((next) =>
      checkParts(statusOf(next), ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
    ),
  },
});

const statefulSetStatus = { status: statusRules(validateStatefulSetStatus) };

export const statefulSetStrategy: Strategy = workloadStrategy({
  validate: validateStatefulSet,
  through: statefulSetStatus,
});

/** Of releases that do not validate the pods of a set. */
export const earlierStatefulSetStrategy: Strategy = workloadStrategy({
  validate: validateEarlierStatefulSet,
  through: statefulSetStatus,
});
