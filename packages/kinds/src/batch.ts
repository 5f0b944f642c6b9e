// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';
import type * as core from './core.ts';
import type * as meta from './meta.ts';
import type * as scheduling from './scheduling.ts';

export type CronJob = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CronJobSpec;
  readonly status?: CronJobStatus;
};

export type CronJobSpec = {
  readonly schedule?: string;
  readonly timeZone?: string;
  readonly startingDeadlineSeconds?: number | ExactNumber;
  readonly concurrencyPolicy?: string;
  readonly suspend?: boolean;
  readonly jobTemplate?: JobTemplateSpec;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
};

export type CronJobStatus = {
  readonly active?: readonly core.ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
};

export type Job = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: JobSpec;
  readonly status?: JobStatus;
};

export type JobCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type JobSchedulingConfiguration = {
  readonly schedulingPolicy?: scheduling.WorkloadPodGroupSchedulingPolicyV1alpha3;
  readonly schedulingConstraints?: scheduling.WorkloadPodGroupSchedulingConstraintsV1alpha3;
  readonly disruptionMode?: scheduling.WorkloadPodGroupDisruptionModeV1alpha3;
  readonly resourceClaims?: readonly scheduling.WorkloadPodGroupResourceClaimV1alpha3[];
};

export type JobSpec = {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly activeDeadlineSeconds?: number | ExactNumber;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly selector?: meta.LabelSelector;
  readonly manualSelector?: boolean;
  readonly template?: core.PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number;
  readonly completionMode?: string;
  readonly suspend?: boolean;
  readonly podReplacementPolicy?: string;
  readonly managedBy?: string;
  readonly scheduling?: JobSchedulingConfiguration;
};

export type JobStatus = {
  readonly conditions?: readonly JobCondition[];
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly terminating?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods;
  readonly ready?: number;
};

export type JobTemplateSpec = {
  readonly metadata?: ObjectMeta;
  readonly spec?: JobSpec;
};

export type JobTemplateV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly template?: JobTemplateSpec;
};

export type PodFailurePolicy = {
  readonly rules?: readonly PodFailurePolicyRule[] | null;
};

export type PodFailurePolicyOnExitCodesRequirement = {
  readonly containerName?: string;
  readonly operator?: string;
  readonly values?: readonly number[] | null;
};

export type PodFailurePolicyOnPodConditionsPattern = {
  readonly type?: string;
  readonly status?: string;
};

export type PodFailurePolicyRule = {
  readonly action?: string;
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement | null;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[] | null;
};

export type SuccessPolicy = {
  readonly rules?: readonly SuccessPolicyRule[] | null;
};

export type SuccessPolicyRule = {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
};

export type UncountedTerminatedPods = {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
};
