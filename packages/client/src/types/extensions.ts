// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type * as apps from './apps.ts';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

/** Template of the pods that run on every node, and how they are replaced. */
export interface DaemonSetSpecV1beta1 {
  /** Selects the pods; those with the labels of the template when absent. */
  selector?: meta.LabelSelector;
  /** Template of the pods. */
  template: core.PodTemplateSpec;
  /** How old pods are replaced by new ones. */
  updateStrategy?: DaemonSetUpdateStrategyV1beta1;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Counts the changes of the template; set by the server. */
  templateGeneration?: Int64;
  /** Number of earlier revisions that are kept for rollbacks. */
  revisionHistoryLimit?: number;
}

/** A type of rollout, with its parameters. */
export interface DaemonSetUpdateStrategyV1beta1 {
  /** RollingUpdate replaces pods gradually; OnDelete replaces pods only after they were deleted. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: apps.RollingUpdateDaemonSet;
}

/** Runs a copy of a pod on every node, or on those that its template selects. */
export type DaemonSetV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: DaemonSetSpecV1beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: apps.DaemonSetStatus;
};

/** Desired number of pods, their template, and how they are replaced. */
export interface DeploymentSpecV1beta1 {
  /** Desired number of pods. */
  replicas?: number;
  /** Selects the pods; those with the labels of the template when absent. */
  selector?: meta.LabelSelector;
  /** Template of the pods. */
  template: core.PodTemplateSpec;
  /** How old pods are replaced by new ones. */
  strategy?: DeploymentStrategyV1beta1;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Number of earlier revisions that are kept for rollbacks. */
  revisionHistoryLimit?: number;
  /** While true, changes of the template are not rolled out. */
  paused?: boolean;
  /** Requests a rollback to an earlier revision; removed when the rollback is done. */
  rollbackTo?: RollbackConfigV1beta1;
  /** Seconds without progress after which a rollout counts as failed; more than minReadySeconds. */
  progressDeadlineSeconds?: number;
}

/** A type of rollout, with its parameters. */
export interface DeploymentStrategyV1beta1 {
  /** RollingUpdate replaces pods gradually; Recreate deletes all old ones first. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: RollingUpdateDeploymentV1beta1;
}

/** Maintains a number of identical pods, and replaces them when their template changes. */
export type DeploymentV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: DeploymentSpecV1beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: apps.DeploymentStatus;
};

/** Desired number of pods, and their template. */
export interface ReplicaSetSpecV1beta1 {
  /** Desired number of pods. */
  replicas?: number;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Selects the pods; those with the labels of the template when absent. */
  selector?: meta.LabelSelector;
  /** Template of the pods. */
  template?: core.PodTemplateSpec;
}

/** Maintains a number of identical pods. Deployments create and manage them. */
export type ReplicaSetV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ReplicaSetSpecV1beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: apps.ReplicaSetStatus;
};

/** The revision to roll back to. */
export interface RollbackConfigV1beta1 {
  /** Number of the revision; the previous one when 0. */
  revision?: Int64;
}

/** How fast old pods are replaced by new ones. */
export interface RollingUpdateDeploymentV1beta1 {
  /** How many pods may be unavailable during the update: a number or a percentage. */
  maxUnavailable?: number | string;
  /** How many pods may exist above the desired number during the update: a number or a percentage. */
  maxSurge?: number | string;
}

/** The desired number of replicas. */
export interface ScaleSpecV1beta1 {
  /** Desired number of replicas. */
  replicas?: number;
}

/** The current number of replicas. */
export interface ScaleStatusV1beta1 {
  /** Current number of replicas. */
  replicas: number;
  /** Labels of the selected pods, when the selector consists of labels only. */
  selector?: Record<string, string>;
  /** Selects the pods, in the format of a query parameter. */
  targetSelector?: string;
}

/** The number of replicas of an object that has replicas. */
export type ScaleV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ScaleSpecV1beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: ScaleStatusV1beta1;
};
