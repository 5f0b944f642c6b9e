import type { ApiObject, FieldError } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy, StrategyContext } from '../../resource-type.ts';
import { keepStatus } from '../../status-strategy.ts';
import { checkSelectorKept, validateWorkload } from './validation/workload.ts';

/** The strategy shared by all workloads. */
export const workloadStrategy = (different: Partial<Strategy>): Strategy =>
  strategyOf({ generation: 'spec', resetStatus: true, prepareForUpdate: keepStatus, ...different });

export const validateSelecting =
  (kind: string) =>
  (next: ApiObject, old: ApiObject | undefined, context: StrategyContext): readonly FieldError[] => [
    ...validateWorkload(next, kind),
    ...checkSelectorKept(next, old, context),
  ];
