// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

/** Makes jobs at set times. */
export type CronJob = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: CronJobSpec;
  /** What was observed last; written by the system, never by the owner. */
  status?: CronJobStatus;
};

/** When jobs are made, and from what. */
export interface CronJobSpec {
  /** When jobs are made, in the form of cron: minute, hour, day of month, month, day of week; or a macro such as `@daily`. */
  schedule: string;
  /** Name of the time zone that the schedule means; that of the controller when absent. */
  timeZone?: string;
  /** Seconds after its time in which a job may still be made; later it is missed. */
  startingDeadlineSeconds?: number;
  /** When the job before still runs: Allow runs both, Forbid leaves the new one out, Replace ends the old one. */
  concurrencyPolicy?: string;
  /** While true, no jobs are made. */
  suspend?: boolean;
  /** What jobs are made from. */
  jobTemplate: JobTemplateSpec;
  /** How many jobs that succeeded are kept. */
  successfulJobsHistoryLimit?: number;
  /** How many jobs that failed are kept. */
  failedJobsHistoryLimit?: number;
}

/** The jobs of a CronJob. */
export interface CronJobStatus {
  /** Jobs that run. */
  active?: core.ObjectReference[];
  /** When a job was made last. */
  lastScheduleTime?: string;
  /** When a job succeeded last. */
  lastSuccessfulTime?: string;
}

/** Runs pods until enough of them have succeeded. */
export type Job = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: JobSpec;
  /** What was observed last; written by the system, never by the owner. */
  status?: JobStatus;
};

/** What is known of one aspect of a job. */
export interface JobCondition {
  /** Suspended, Complete or Failed. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the condition was last checked. */
  lastProbeTime?: string | null;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** One CamelCase word for programs: why it is so. */
  reason?: string;
  /** Details for people. */
  message?: string;
}

/** How many pods run to their end, from what, and when the job is over. */
export interface JobSpec {
  /** How many pods may run at a time. */
  parallelism?: number;
  /** How many pods must succeed. When absent, the success of any pod ends the job. */
  completions?: number;
  /** Seconds after its start in which the job has to end; then it fails. */
  activeDeadlineSeconds?: number;
  /** What becomes of the job when a pod fails; without it every failure counts towards backoffLimit. */
  podFailurePolicy?: PodFailurePolicy;
  /** How many pods may fail before the job does. */
  backoffLimit?: number;
  /** Pods that count. Set by the server, unless manualSelector is true. */
  selector?: meta.LabelSelector;
  /** True when the author chooses the selector and the labels of the pods. */
  manualSelector?: boolean;
  /** What pods are made from. */
  template: core.PodTemplateSpec;
  /** Seconds after its end until the job is deleted; it stays when absent. */
  ttlSecondsAfterFinished?: number;
  /** NonIndexed counts pods that succeeded; Indexed gives every pod a number, and each number has to succeed. */
  completionMode?: string;
  /** While true, no pods run. */
  suspend?: boolean;
}

/** How far a job has come. */
export interface JobStatus {
  /** Observations about the object, one entry per type. */
  conditions?: JobCondition[];
  /** When the controller began with it. */
  startTime?: string;
  /** When it was complete; absent when it failed. */
  completionTime?: string;
  /** Pods that wait or run. */
  active?: number;
  /** Pods that succeeded. */
  succeeded?: number;
  /** Pods that failed. */
  failed?: number;
  /** Numbers whose pods succeeded, such as `1,3-5`. */
  completedIndexes?: string;
  /** Pods that have ended and are not counted yet. */
  uncountedTerminatedPods?: UncountedTerminatedPods;
  /** Pods that are ready. */
  ready?: number;
}

/** Metadata and specification of the jobs that are created from it. */
export interface JobTemplateSpec {
  /** Labels and annotations of the jobs. */
  metadata?: ObjectMeta;
  /** What its owner wants. */
  spec?: JobSpec;
}

/** A template to create jobs from, as a separate object. */
export type JobTemplateV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The template. */
  template?: JobTemplateSpec;
};

/** What becomes of the job when a pod fails; the first rule that fits decides. */
export interface PodFailurePolicy {
  /** The rules in their order, at most 20 of them. */
  rules: PodFailurePolicyRule[] | null;
}

/** Speaks of the exit codes of containers that failed. */
export interface PodFailurePolicyOnExitCodesRequirement {
  /** Container whose exit code counts; that of any container when absent. */
  containerName?: string;
  /** In or NotIn: whether the exit code is one of the values. */
  operator: string;
  /** The exit codes in rising order, at most 255 of them. */
  values: number[] | null;
}

/** Speaks of a condition of the pod that failed. */
export interface PodFailurePolicyOnPodConditionsPattern {
  /** Type of the condition. */
  type: string;
  /** True, False or Unknown: the status that the condition has; True when empty. */
  status: string;
}

/** What becomes of the job when a pod fails in this way. A rule speaks either of exit codes or of conditions. */
export interface PodFailurePolicyRule {
  /** FailJob ends the job, Ignore starts another pod without counting the failure, Count counts it. */
  action: string;
  /** The rule is for failures with these exit codes. */
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement | null;
  /** The rule is for pods with one of these conditions. */
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[] | null;
}

/** Pods that have ended and are not counted yet, by uid. */
export interface UncountedTerminatedPods {
  /** Those that succeeded. */
  succeeded?: string[];
  /** Those that failed. */
  failed?: string[];
}
