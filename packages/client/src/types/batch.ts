// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as core from './core.ts';
import type * as meta from './meta.ts';
import type * as scheduling from './scheduling.ts';

/** Creates jobs on a schedule. */
export type CronJob = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: CronJobSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: CronJobStatus;
};

/** Schedule and template of jobs. */
export interface CronJobSpec {
  /** When jobs are created, in the format of cron: minute, hour, day of month, month, day of week; or a macro such as `@daily`. */
  schedule: string;
  /** Name of the time zone of the schedule; that of the controller when absent. */
  timeZone?: string;
  /** Seconds after its scheduled time in which a job may still be created; later it is skipped. */
  startingDeadlineSeconds?: Int64;
  /** When the previous job still runs: Allow runs both, Forbid skips the new one, Replace terminates the old one. */
  concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace' | (string & {});
  /** While true, no jobs are created. */
  suspend?: boolean;
  /** Template of the jobs. */
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
  /** When a job was last created. */
  lastScheduleTime?: string;
  /** When a job succeeded last. */
  lastSuccessfulTime?: string;
}

/** Runs pods until enough of them have succeeded. */
export type Job = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: JobSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: JobStatus;
};

/** One aspect of the state of a job. */
export interface JobCondition {
  /** Suspended, Complete or Failed. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the condition was last checked. */
  lastProbeTime?: string | null;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** How the pods of a job are scheduled as one workload. */
export interface JobSchedulingConfiguration {
  /** Whether pods are scheduled one by one or together. Only the number of a gang can change. */
  schedulingPolicy?: scheduling.WorkloadPodGroupSchedulingPolicyV1alpha3;
  /** Where the pods are placed relative to each other. */
  schedulingConstraints?: scheduling.WorkloadPodGroupSchedulingConstraintsV1alpha3;
  /** Whether the pods are disrupted one by one or together. */
  disruptionMode?: scheduling.WorkloadPodGroupDisruptionModeV1alpha3;
  /** Claims on devices that the pods share. */
  resourceClaims?: KeyedList<scheduling.WorkloadPodGroupResourceClaimV1alpha3, 'name'>;
}

/** How many pods run to completion, their template, and when the job is finished. */
export interface JobSpec {
  /** How many pods may run at a time. */
  parallelism?: number;
  /** How many pods must succeed. When absent, the success of any pod ends the job. */
  completions?: number;
  /** Seconds after its start in which the job must finish; then it fails. */
  activeDeadlineSeconds?: Int64;
  /** What happens to the job when a pod fails; without it every failure counts towards backoffLimit. */
  podFailurePolicy?: PodFailurePolicy;
  /** When the job has succeeded; with every index when absent. */
  successPolicy?: SuccessPolicy;
  /** How many pods may fail before the job does. */
  backoffLimit?: number;
  /** How many pods of one index may fail before the index does. */
  backoffLimitPerIndex?: number;
  /** How many indexes may fail before the job does. */
  maxFailedIndexes?: number;
  /** Selects the pods. Set by the server, unless manualSelector is true. */
  selector?: meta.LabelSelector;
  /** True when the author chooses the selector and the labels of the pods. */
  manualSelector?: boolean;
  /** Template of the pods. */
  template: core.PodTemplateSpec;
  /** Seconds after its end until the job is deleted; it stays when absent. */
  ttlSecondsAfterFinished?: number;
  /** NonIndexed counts pods that succeeded; Indexed gives every pod a number, and each number has to succeed. */
  completionMode?: 'Indexed' | 'NonIndexed' | (string & {});
  /** While true, no pods run. */
  suspend?: boolean;
  /** When a pod is replaced: TerminatingOrFailed, or Failed when it has ended. */
  podReplacementPolicy?: string;
  /** Controller of the job; that of the cluster when absent. */
  managedBy?: string;
  /** How the pods are scheduled as one workload; one by one when absent. It is neither set nor cleared later. */
  scheduling?: JobSchedulingConfiguration;
}

/** Progress of a job. */
export interface JobStatus {
  /** Observations about the object, one entry per type. */
  conditions?: JobCondition[];
  /** When the controller started the job. */
  startTime?: string;
  /** When it was complete; absent when it failed. */
  completionTime?: string;
  /** Pods that wait or run. */
  active?: number;
  /** Pods that succeeded. */
  succeeded?: number;
  /** Pods that failed. */
  failed?: number;
  /** Pods that are being terminated. */
  terminating?: number;
  /** Numbers whose pods succeeded, such as `1,3-5`. */
  completedIndexes?: string;
  /** Numbers that failed, such as `1,3-5`. */
  failedIndexes?: string;
  /** Pods that have ended and are not counted yet. */
  uncountedTerminatedPods?: UncountedTerminatedPods;
  /** Pods that are ready. */
  ready?: number;
}

/** Metadata and specification of the jobs that are created from it. */
export interface JobTemplateSpec {
  /** Labels and annotations of the jobs. */
  metadata?: ObjectMeta;
  /** Desired state of the object. */
  spec?: JobSpec;
}

/** A template to create jobs from, as a separate object. */
export type JobTemplateV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The template. */
  template?: JobTemplateSpec;
};

/** What happens to the job when a pod fails; the first rule that matches is applied. */
export interface PodFailurePolicy {
  /** The rules in their order, at most 20 of them. */
  rules: PodFailurePolicyRule[] | null;
}

/** Matches the exit codes of failed containers. */
export interface PodFailurePolicyOnExitCodesRequirement {
  /** Container whose exit code counts; that of any container when absent. */
  containerName?: string;
  /** In or NotIn: whether the exit code is one of the values. */
  operator: 'In' | 'NotIn' | (string & {});
  /** The exit codes in rising order, at most 255 of them. */
  values: number[] | null;
}

/** Matches a condition of the failed pod. */
export interface PodFailurePolicyOnPodConditionsPattern {
  /** Type of the condition. */
  type: string;
  /** True, False or Unknown: the status that the condition has; True when empty. */
  status: 'False' | 'True' | 'Unknown' | (string & {});
}

/** What happens to the job when a pod fails in this way. A rule matches either exit codes or conditions. */
export interface PodFailurePolicyRule {
  /** FailJob ends the job, FailIndex the index, Ignore starts another pod without counting the failure, Count counts it. */
  action: 'Count' | 'FailIndex' | 'FailJob' | 'Ignore' | (string & {});
  /** The rule is for failures with these exit codes. */
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement | null;
  /** The rule is for pods with one of these conditions. */
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[] | null;
}

/** When a job has succeeded: when one rule matches. */
export interface SuccessPolicy {
  /** The rules, at most 20 of them. */
  rules: SuccessPolicyRule[];
}

/** The job has succeeded with these indexes, or this number of them. */
export interface SuccessPolicyRule {
  /** Indexes that must succeed, such as `1,3-5`. */
  succeededIndexes?: string;
  /** How many of them must succeed. */
  succeededCount?: number;
}

/** Pods that have ended and are not counted yet, by uid. */
export interface UncountedTerminatedPods {
  /** Those that succeeded. */
  succeeded?: string[];
  /** Those that failed. */
  failed?: string[];
}
