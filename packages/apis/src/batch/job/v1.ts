import type * as batch from '@orch/kinds/batch';
import type { Draft } from '@orch/kinds/draft';
import type { Names } from '@orch/machinery';
import { type ComputeDefault, type Derive, f, items, struct } from '@orch/schema';
import { templateField } from '../../apps/shared/fields.ts';
import { deriveLabels } from '../../core/shared/template-labels.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { fixedMembers } from '../../validation-rules.ts';
import { PodFailurePolicy } from './pod-failure-policy.ts';
import { schedulingField } from './scheduling.ts';
import { SuccessPolicy } from './success-policy.ts';
import { checkJobSpec } from './validation/spec.ts';

/** A default of jobs that jobs of a CronJob get only when they are created. */
const ofJobs =
  (value: unknown): ComputeDefault =>
  (_spec, _names, { root }) =>
    root === 'batch.v1.Job' ? value : undefined;

/** The selector of a job in a template is never read: the server generates it. */
const isOfJob = (_spec: object, _names: Names, path: string): boolean => path === 'spec';

/** Only Indexed jobs have a success policy; the field of other jobs is not validated. */
const isIndexed = ({ completionMode }: batch.JobSpec): boolean => completionMode === 'Indexed';

const MOST_FAILURES = 2_147_483_647;

/** With a limit for each index, there is none for the whole job. */
const failureLimit: ComputeDefault = ({ backoffLimitPerIndex }, _names, { root }) =>
  root === 'batch.v1.Job' ? (backoffLimitPerIndex === undefined ? 6 : MOST_FAILURES) : undefined;

/** Pods of jobs with a failure policy are replaced when they have ended. */
const replacementPolicy: ComputeDefault = ({ podFailurePolicy }, _names, { root }) =>
  root === 'batch.v1.Job' ? (podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed') : undefined;

/** A job without numbers runs one pod; one with only a parallelism ends with the first success. */
const deriveJob: Derive<Draft<batch.Job>> = (job, names, context) => {
  const labelled = deriveLabels(job, names, context);
  job.spec ??= {};
  const { spec } = job;
  if (spec.parallelism !== undefined) return labelled;
  if (spec.completions === undefined) spec.completions = 1;
  spec.parallelism = 1;
  return true;
};

export const JobSpec = struct(
  'batch.v1.JobSpec',
  'How many pods run to completion, their template, and when the job is finished.',
  {
    parallelism: f.int32(1, {
      doc: 'How many pods may run at a time.',
      presence: 'pointer',
      min: 0,
    }),
    completions: f.int32(2, {
      doc: 'How many pods must succeed. When absent, the success of any pod ends the job.',
      presence: 'pointer',
      min: 0,
    }),
    activeDeadlineSeconds: f.int64(3, {
      doc: 'Seconds after its start in which the job must finish; then it fails.',
      presence: 'pointer',
      min: 0,
    }),
    podFailurePolicy: f.struct(11, PodFailurePolicy, {
      doc: 'What happens to the job when a pod fails; without it every failure counts towards backoffLimit.',
      presence: 'pointer',
      since: '1.26',
      gate: 'JobPodFailurePolicy',
    }),

    successPolicy: f.struct(16, SuccessPolicy, {
      validatedIf: isIndexed,
      doc: 'When the job has succeeded; with every index when absent.',
      presence: 'pointer',
      since: '1.31',
      gate: 'JobSuccessPolicy',
    }),
    backoffLimit: f.int32(7, {
      doc: 'How many pods may fail before the job does.',
      presence: 'pointer',
      default: failureLimit,
      min: 0,
    }),

    backoffLimitPerIndex: f.int32(12, {
      doc: 'How many pods of one index may fail before the index does.',
      presence: 'pointer',
      min: 0,
      since: '1.29',
      gate: 'JobBackoffLimitPerIndex',
    }),
    maxFailedIndexes: f.int32(13, {
      doc: 'How many indexes may fail before the job does.',
      presence: 'pointer',
      min: 0,
      since: '1.29',
      gate: 'JobBackoffLimitPerIndex',
    }),
    selector: f.struct(4, LabelSelector, {
      validatedIf: isOfJob,
      doc: 'Selects the pods. Set by the server, unless manualSelector is true.',
      presence: 'pointer',
    }),
    manualSelector: f.bool(5, {
      doc: 'True when the author chooses the selector and the labels of the pods.',
      presence: 'pointer',
      default: ofJobs(false),
      defaultedSince: '1.29',
    }),
    template: templateField(6),
    ttlSecondsAfterFinished: f.int32(8, {
      doc: 'Seconds after its end until the job is deleted; it stays when absent.',
      presence: 'pointer',
      min: 0,
      since: '1.21',
      gate: 'TTLAfterFinished',
    }),
    completionMode: f.string(9, {
      doc: 'NonIndexed counts pods that succeeded; Indexed gives every pod a number, and each number has to succeed.',
      presence: 'pointer',
      default: ofJobs('NonIndexed'),
      enum: ['Indexed', 'NonIndexed'],
      openapiEnum: { since: '1.27' },
      emptyIsInvalid: true,
      since: '1.22',
      gate: 'IndexedJob',
    }),
    suspend: f.bool(10, {
      doc: 'While true, no pods run.',
      presence: 'pointer',
      default: ofJobs(false),
      since: '1.22',
      gate: 'SuspendJob',
    }),

    podReplacementPolicy: f.string(14, {
      doc: 'When a pod is replaced: TerminatingOrFailed, or Failed when it has ended.',
      presence: 'pointer',
      default: replacementPolicy,
      since: '1.29',
      gate: 'JobPodReplacementPolicy',
      openapiEnum: { values: ['Failed', 'TerminatingOrFailed'] },
    }),
    managedBy: f.string(15, {
      doc: 'Controller of the job; that of the cluster when absent.',
      presence: 'pointer',
      maxBytes: 63,
      since: '1.32',
      gate: 'JobManagedBy',
    }),
    scheduling: schedulingField,
  },
  { checks: [checkJobSpec, fixedMembers('scheduling')] },
);

export const JobCondition = struct('batch.v1.JobCondition', 'One aspect of the state of a job.', {
  type: f.string(1, { doc: 'Suspended, Complete or Failed.', presence: 'always' }),
  status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
  lastProbeTime: f.time(3, { doc: 'When the condition was last checked.', presence: 'always' }),
  lastTransitionTime: f.time(4, {
    doc: 'When the status last changed from one value to another.',
    presence: 'always',
  }),
  reason: f.string(5, { doc: 'Machine-readable reason, in CamelCase.' }),
  message: f.string(6, { doc: 'Human-readable details.' }),
});

export const UncountedTerminatedPods = struct(
  'batch.v1.UncountedTerminatedPods',
  'Pods that have ended and are not counted yet, by uid.',
  {
    succeeded: f.list(1, items.string, { doc: 'Those that succeeded.', listType: 'set', uniqueBy: '' }),
    failed: f.list(2, items.string, { doc: 'Those that failed.', listType: 'set', uniqueBy: '' }),
  },
);

export const JobStatus = struct('batch.v1.JobStatus', 'Progress of a job.', {
  conditions: f.list(1, JobCondition, {
    doc: 'Observations about the object, one entry per type.',
    patchStrategy: 'merge',
    patchMergeKey: 'type',
    listType: 'atomic',
  }),
  startTime: f.time(2, { doc: 'When the controller started the job.', presence: 'pointer' }),
  completionTime: f.time(3, { doc: 'When it was complete; absent when it failed.', presence: 'pointer' }),
  active: f.int32(4, { doc: 'Pods that wait or run.', min: 0 }),
  succeeded: f.int32(5, { doc: 'Pods that succeeded.', min: 0 }),
  failed: f.int32(6, { doc: 'Pods that failed.', min: 0 }),

  terminating: f.int32(11, {
    doc: 'Pods that are being terminated.',
    presence: 'pointer',
    min: 0,
    since: '1.29',
    gate: 'JobPodReplacementPolicy',
  }),
  completedIndexes: f.string(7, {
    doc: 'Numbers whose pods succeeded, such as `1,3-5`.',
    since: '1.22',
    gate: 'IndexedJob',
  }),

  failedIndexes: f.string(10, {
    doc: 'Numbers that failed, such as `1,3-5`.',
    presence: 'pointer',
    since: '1.29',
    gate: 'JobBackoffLimitPerIndex',
  }),
  uncountedTerminatedPods: f.struct(8, UncountedTerminatedPods, {
    doc: 'Pods that have ended and are not counted yet.',
    presence: 'pointer',
    since: '1.25',
    gate: 'JobTrackingWithFinalizers',
  }),
  ready: f.int32(9, {
    doc: 'Pods that are ready.',
    presence: 'pointer',
    min: 0,
    since: '1.24',
    gate: 'JobReadyPods',
  }),
});

export const Job = struct(
  'batch.v1.Job',
  'Runs pods until enough of them have succeeded.',
  {
    metadata: metadataField,
    spec: specField(JobSpec),
    status: statusField(JobStatus),
  },
  { typeMeta: true, derive: deriveJob },
);
