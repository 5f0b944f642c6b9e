import type { Strategy } from '../../resource-type.ts';
import { statusRules } from '../../status-strategy.ts';
import { workloadStrategy } from '../shared/strategy.ts';
import { validateEarlierStatefulSet, validateStatefulSet, validateStatefulSetStatus } from './validation.ts';

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
