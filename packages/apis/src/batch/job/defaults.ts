import type { ComputeDefault, Derive } from '@orch/schema';
import { deriveLabels } from '../../core/shared/template-labels.ts';
import { asObject } from '../../read.ts';

/** A default of jobs that the jobs of a CronJob get only when they are made. */
export const ofJobs =
  (value: unknown): ComputeDefault =>
  (_spec, _names, root) =>
    root === 'batch.v1.Job' ? value : undefined;

/** A job that names no numbers runs one pod; one that says how many run at a time ends with the first success. */
export const deriveJob: Derive = (job, names) => {
  const labelled = deriveLabels(job, names);
  const spec = asObject(job['spec']) as Record<string, unknown>;
  if (spec['parallelism'] !== undefined) return labelled;
  if (spec['completions'] === undefined) spec['completions'] = 1;
  spec['parallelism'] = 1;
  return true;
};
