// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as apps from './apps.ts';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

/** Which pods run on every node, and how they are replaced. */
export interface DaemonSetSpecV1beta1 {
  /** Pods that count; those with the labels of the template when absent. */
  selector?: meta.LabelSelector;
  /** What pods are made from. */
  template: core.PodTemplateSpec;
  /** The way from old pods to new ones. */
  updateStrategy?: DaemonSetUpdateStrategyV1beta1;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Counts the changes of the template; set by the server. */
  templateGeneration?: number;
  /** How many earlier revisions are kept to go back to. */
  revisionHistoryLimit?: number;
}

/** A type of rollout, with its parameters. */
export interface DaemonSetUpdateStrategyV1beta1 {
  /** RollingUpdate replaces pods little by little; OnDelete waits until somebody deletes them. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: apps.RollingUpdateDaemonSet;
}

/** Runs a copy of a pod on every node, or on those that its template selects. */
export type DaemonSetV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: DaemonSetSpecV1beta1;
  /** What was observed last; written by the system, never by the owner. */
  status?: apps.DaemonSetStatus;
};

/** How many pods there should be, from what, and how they are replaced. */
export interface DeploymentSpecV1beta1 {
  /** How many pods are wanted. */
  replicas?: number;
  /** Pods that count; those with the labels of the template when absent. */
  selector?: meta.LabelSelector;
  /** What pods are made from. */
  template: core.PodTemplateSpec;
  /** The way from old pods to new ones. */
  strategy?: DeploymentStrategyV1beta1;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** How many earlier revisions are kept to go back to. */
  revisionHistoryLimit?: number;
  /** While true, changes of the template are not rolled out. */
  paused?: boolean;
  /** Asks to go back to an earlier revision; taken away once that is done. */
  rollbackTo?: RollbackConfigV1beta1;
  /** Seconds without progress after which a rollout counts as failed; more than minReadySeconds. */
  progressDeadlineSeconds?: number;
}

/** A type of rollout, with its parameters. */
export interface DeploymentStrategyV1beta1 {
  /** RollingUpdate replaces pods little by little; Recreate removes all old ones first. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: RollingUpdateDeploymentV1beta1;
}

/** Keeps a number of equal pods running, and replaces them when their template changes. */
export type DeploymentV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: DeploymentSpecV1beta1;
  /** What was observed last; written by the system, never by the owner. */
  status?: apps.DeploymentStatus;
};

/** How many pods there should be, and from what. */
export interface ReplicaSetSpecV1beta1 {
  /** How many pods are wanted. */
  replicas?: number;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Pods that count; those with the labels of the template when absent. */
  selector?: meta.LabelSelector;
  /** What pods are made from. */
  template?: core.PodTemplateSpec;
}

/** Keeps a number of equal pods running. Deployments make and manage them. */
export type ReplicaSetV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: ReplicaSetSpecV1beta1;
  /** What was observed last; written by the system, never by the owner. */
  status?: apps.ReplicaSetStatus;
};

/** The revision to go back to. */
export interface RollbackConfigV1beta1 {
  /** Number of the revision; the one before the present one when 0. */
  revision?: number;
}

/** How fast old pods are replaced by new ones. */
export interface RollingUpdateDeploymentV1beta1 {
  /** How many pods fewer than wanted there may be meanwhile: a number or a percentage. */
  maxUnavailable?: number | string;
  /** How many pods more than wanted there may be meanwhile: a number or a percentage. */
  maxSurge?: number | string;
}

/** The wanted number of replicas. */
export interface ScaleSpecV1beta1 {
  /** How many replicas are wanted. */
  replicas?: number;
}

/** The present number of replicas. */
export interface ScaleStatusV1beta1 {
  /** How many replicas there are. */
  replicas: number;
  /** Labels of the pods that count, where labels alone say it. */
  selector?: Record<string, string>;
  /** Selects the pods that count, in the form of a query parameter. */
  targetSelector?: string;
}

/** The size of anything that has replicas, without the rest of it. */
export type ScaleV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: ScaleSpecV1beta1;
  /** What was observed last; written by the system, never by the owner. */
  status?: ScaleStatusV1beta1;
};
