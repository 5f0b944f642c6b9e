import type { Job } from '@orch/kinds/batch';
import type { Draft } from '@orch/kinds/draft';
import type { Names } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import { sortedMap } from '../../ordered.ts';
import type { ReleaseDifference, Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { labelJob, labelPods, plainLabels, prefixedLabels } from './labels.ts';
import { type JobRules, validateJob } from './validation/job.ts';
import { validateJobStatus } from './validation/status.ts';
import { jobWarnings } from './warnings.ts';

/** The parameters of the strategy of jobs, which differ between releases. */
interface JobRelease extends JobRules {
  readonly generation: 'spec' | 'none';
  /** Whether new jobs get the annotation for counting their pods by finalizers. */
  readonly tracked: boolean;
}

function markTracked({ metadata }: Draft<Job>, { annotations }: Names): void {
  metadata.annotations = sortedMap({ ...metadata.annotations, [annotations.jobTracking]: '' });
}

const jobStrategyOf = (release: JobRelease): Strategy<Job> =>
  strategyOf<Job>({
    generation: release.generation,
    resetStatus: true,
    orphanByDefault: true,
    deletionWarning: {
      since: '1.23',
      text: 'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    },
    prepareForCreate(next, { names }) {
      if (release.tracked) markTracked(next, names);
      if (next.spec?.manualSelector !== true) labelPods(next, release.labels, names);
    },
    prepareForUpdate: keepStatus,
    validate: (next, old, context) => validateJob(next, old, context, release),
    warnings: jobWarnings,
    canonicalize: labelJob,
    through: { status: statusRules(validateJobStatus) },
  });

const of1_37: JobRelease = {
  generation: 'spec',
  labels: prefixedLabels,
  movable: true,
  elastic: true,
  checksNames: true,
  tracked: false,
};
const of1_27: JobRelease = { ...of1_37, checksNames: false };
const of1_26: JobRelease = { ...of1_27, labels: plainLabels, elastic: false, tracked: true };
const of1_24: JobRelease = { ...of1_26, tracked: false };
const of1_22: JobRelease = { ...of1_24, movable: false };
const of1_20: JobRelease = { ...of1_22, generation: 'none' };

export const jobStrategy: Strategy<Job> = jobStrategyOf(of1_37);

/** Strategies of older releases, newest first. */
export const earlierJobs: readonly ReleaseDifference[] = [
  { before: '1.37', change: { strategy: jobStrategyOf(of1_27) } },
  { before: '1.27', change: { strategy: jobStrategyOf(of1_26) } },
  { before: '1.25', change: { strategy: jobStrategyOf(of1_24) } },
  { before: '1.23', change: { strategy: jobStrategyOf(of1_22) } },
  { before: '1.21', change: { strategy: jobStrategyOf(of1_20) } },
];
