import type { Job, JobSpec } from '@orch/kinds/batch';
import type { WarningContext } from '../../content-warning.ts';
import { templateWarnings } from '../../core/shared/pod-spec/warnings/pod.ts';
import { isNewGeneration, podNameWarnings } from '../../core/shared/pod-spec/warnings/workload.ts';

/** Numbers of completions and of pods at once above which the completed ones may not fit into the status. */
const MANY_COMPLETIONS = 100_000;
const MANY_AT_ONCE = 10_000;

/** Warns of the specification of a job. */
export function jobSpecWarnings(
  path: string,
  spec: JobSpec = {},
  context: WarningContext,
): readonly string[] {
  const { completionMode, completions = 0, parallelism = 0, template } = spec;
  const isMuch = completionMode === 'Indexed' && completions > MANY_COMPLETIONS && parallelism > MANY_AT_ONCE;
  return [
    ...(isMuch && context.since('1.28')
      ? [
          `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, ${context.names.title} might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...templateWarnings(`${path}.template`, template, context),
  ];
}

/** Warns of a job. */
export const jobWarnings = (next: Job, old: Job | undefined, context: WarningContext): readonly string[] => [
  ...podNameWarnings(next, old, context),
  ...(isNewGeneration(next, old) ? jobSpecWarnings('spec', next.spec, context) : []),
];
