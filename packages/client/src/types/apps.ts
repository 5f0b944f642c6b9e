// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

/** A stored state that a controller can roll back to. Its data is immutable. */
export type ControllerRevision = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The state, in the format of the controller. */
  data?: Record<string, unknown> | null;
  /** Number of the revision; higher ones are newer. */
  revision: Int64;
};

/** Runs a copy of a pod on every node, or on those that its template selects. */
export type DaemonSet = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: DaemonSetSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: DaemonSetStatus;
};

/** One aspect of the state of a DaemonSet. */
export interface DaemonSetCondition {
  /** Aspect that the condition describes. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** Template of the pods that run on every node, and how they are replaced. */
export interface DaemonSetSpec {
  /** Selects the pods. It must match the labels of the template and cannot change later. */
  selector: meta.LabelSelector | null;
  /** Template of the pods. */
  template: core.PodTemplateSpec;
  /** How old pods are replaced by new ones. */
  updateStrategy?: DaemonSetUpdateStrategy;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Number of earlier revisions that are kept for rollbacks. */
  revisionHistoryLimit?: number;
}

/** On how many nodes the pods run. */
export interface DaemonSetStatus {
  /** Nodes that run a pod of the set and should. */
  currentNumberScheduled: number;
  /** Nodes that run a pod of the set and should not. */
  numberMisscheduled: number;
  /** Nodes that should run a pod of the set. */
  desiredNumberScheduled: number;
  /** Nodes whose pod is ready. */
  numberReady: number;
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** Nodes whose pod was created from the current template. */
  updatedNumberScheduled?: number;
  /** Nodes whose pod has been ready for minReadySeconds. */
  numberAvailable?: number;
  /** Nodes whose pod is missing, or not available yet. */
  numberUnavailable?: number;
  /** How often the name for a new revision was already taken. */
  collisionCount?: number;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<DaemonSetCondition, 'type'>;
}

/** A type of rollout, with its parameters. */
export interface DaemonSetUpdateStrategy {
  /** RollingUpdate replaces pods gradually; OnDelete replaces pods only after they were deleted. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: RollingUpdateDaemonSet;
}

/** Maintains a number of identical pods, and replaces them when their template changes. */
export type Deployment = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: DeploymentSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: DeploymentStatus;
};

/** One aspect of the state of a Deployment. */
export interface DeploymentCondition {
  /** Available, Progressing or ReplicaFailure. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the condition was last written. */
  lastUpdateTime?: string | null;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** Desired number of pods, their template, and how they are replaced. */
export interface DeploymentSpec {
  /** Desired number of pods. */
  replicas?: number;
  /** Selects the pods. It must match the labels of the template and cannot change later. */
  selector: meta.LabelSelector | null;
  /** Template of the pods. */
  template: core.PodTemplateSpec;
  /** How old pods are replaced by new ones. */
  strategy?: DeploymentStrategy;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Number of earlier revisions that are kept for rollbacks. */
  revisionHistoryLimit?: number;
  /** While true, changes of the template are not rolled out. */
  paused?: boolean;
  /** Seconds without progress after which a rollout counts as failed; more than minReadySeconds. */
  progressDeadlineSeconds?: number;
}

/** Desired number of pods, their template, and how they are replaced. */
export interface DeploymentSpecV1beta1 {
  /** Desired number of pods. */
  replicas?: number;
  /** Selects the pods; those with the labels of the template when absent. */
  selector?: meta.LabelSelector;
  /** Template of the pods. */
  template: core.PodTemplateSpec;
  /** How old pods are replaced by new ones. */
  strategy?: DeploymentStrategy;
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

/** Progress of a Deployment. */
export interface DeploymentStatus {
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** Number of pods, both old and new ones. */
  replicas?: number;
  /** Pods that were created from the current template. */
  updatedReplicas?: number;
  /** Pods that are ready. */
  readyReplicas?: number;
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number;
  /** Pods that are still missing, or not available yet. */
  unavailableReplicas?: number;
  /** Pods that are being terminated. */
  terminatingReplicas?: number;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<DeploymentCondition, 'type'>;
  /** How often the name for a new revision was already taken. */
  collisionCount?: number;
}

/** A type of rollout, with its parameters. */
export interface DeploymentStrategy {
  /** RollingUpdate replaces pods gradually; Recreate deletes all old ones first. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: RollingUpdateDeployment;
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
  status?: DeploymentStatus;
};

/** Maintains a number of identical pods. Deployments create and manage them. */
export type ReplicaSet = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ReplicaSetSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: ReplicaSetStatus;
};

/** One aspect of the state of a ReplicaSet. */
export interface ReplicaSetCondition {
  /** Such as ReplicaFailure. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** Desired number of pods, and their template. */
export interface ReplicaSetSpec {
  /** Desired number of pods. */
  replicas?: number;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Selects the pods. It must match the labels of the template and cannot change later. */
  selector: meta.LabelSelector | null;
  /** Template of the pods. */
  template?: core.PodTemplateSpec;
}

/** Observed numbers of pods. */
export interface ReplicaSetStatus {
  /** Number of pods. */
  replicas: number;
  /** Pods with all labels of the template. */
  fullyLabeledReplicas?: number;
  /** Pods that are ready. */
  readyReplicas?: number;
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number;
  /** Pods that are being terminated. */
  terminatingReplicas?: number;
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<ReplicaSetCondition, 'type'>;
}

/** The revision to roll back to. */
export interface RollbackConfigV1beta1 {
  /** Number of the revision; the previous one when 0. */
  revision?: Int64;
}

/** How fast old pods are replaced by new ones. */
export interface RollingUpdateDaemonSet {
  /** On how many nodes the pod may be unavailable during the update: a number or a percentage. */
  maxUnavailable?: number | string;
  /** On how many nodes an old and a new pod may run during the update: a number or a percentage. */
  maxSurge?: number | string;
}

/** How fast old pods are replaced by new ones. */
export interface RollingUpdateDeployment {
  /** How many pods may be unavailable during the update: a number or a percentage. */
  maxUnavailable?: number | string;
  /** How many pods may exist above the desired number during the update: a number or a percentage. */
  maxSurge?: number | string;
}

/** The pods to replace, and how many at a time. */
export interface RollingUpdateStatefulSetStrategy {
  /** Pods with a lower number stay as they are. */
  partition?: number;
  /** How many pods may be unavailable during the update: a number or a percentage. */
  maxUnavailable?: number | string;
}

/** The desired number of replicas. */
export interface ScaleSpecV1beta1 {
  /** Desired number of replicas. */
  replicas?: number;
}

/** The desired number of replicas. */
export interface ScaleSpecV1beta2 {
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

/** The current number of replicas. */
export interface ScaleStatusV1beta2 {
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

/** The number of replicas of an object that has replicas. */
export type ScaleV1beta2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ScaleSpecV1beta2;
  /** Most recently observed state of the object; written by the system. */
  status?: ScaleStatusV1beta2;
};

/** Runs pods that have separate names, storage and an order, and keep them when they are replaced. */
export type StatefulSet = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: StatefulSetSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: StatefulSetStatus;
};

/** One aspect of the state of a StatefulSet. */
export interface StatefulSetCondition {
  /** Aspect that the condition describes. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** How the pods are numbered. */
export interface StatefulSetOrdinals {
  /** Number of the first pod. */
  start?: number;
}

/** Whether claims are deleted or retained, by the event that leaves them without a pod. */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  /** Retain or Delete: what happens to claims when the set is deleted. */
  whenDeleted?: 'Delete' | 'Retain' | (string & {});
  /** Retain or Delete: what happens to claims when the set is scaled down. */
  whenScaled?: 'Delete' | 'Retain' | (string & {});
}

/** Desired number of pods, their template, and how they are replaced. */
export interface StatefulSetSpec {
  /** Desired number of pods. */
  replicas?: number;
  /** Selects the pods. It must match the labels of the template and cannot change later. */
  selector: meta.LabelSelector | null;
  /** Template of the pods. */
  template: core.PodTemplateSpec;
  /** For each of these a separate claim is created per pod, which a replacement of the pod uses again. */
  volumeClaimTemplates?: core.PersistentVolumeClaim[];
  /** Service that defines the host names of the pods; it must exist first. */
  serviceName: string;
  /** OrderedReady starts and stops pods one after the other; Parallel does not wait. */
  podManagementPolicy?: string;
  /** How old pods are replaced by new ones. */
  updateStrategy?: StatefulSetUpdateStrategy;
  /** Number of earlier revisions that are kept for rollbacks. */
  revisionHistoryLimit?: number;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** What happens to the claims of pods that were removed. */
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  /** How the pods are numbered; from 0 when absent. */
  ordinals?: StatefulSetOrdinals;
}

/** Desired number of pods, their template, and how they are replaced. */
export interface StatefulSetSpecV1beta1 {
  /** Desired number of pods. */
  replicas?: number;
  /** Selects the pods; those with the labels of the template when absent. */
  selector?: meta.LabelSelector;
  /** Template of the pods. */
  template: core.PodTemplateSpec;
  /** For each of these a separate claim is created per pod, which a replacement of the pod uses again. */
  volumeClaimTemplates?: core.PersistentVolumeClaim[];
  /** Service that defines the host names of the pods; it must exist first. */
  serviceName: string;
  /** OrderedReady starts and stops pods one after the other; Parallel does not wait. */
  podManagementPolicy?: string;
  /** How old pods are replaced by new ones. */
  updateStrategy?: StatefulSetUpdateStrategyV1beta1;
  /** Number of earlier revisions that are kept for rollbacks. */
  revisionHistoryLimit?: number;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** What happens to the claims of pods that were removed. */
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  /** How the pods are numbered; from 0 when absent. */
  ordinals?: StatefulSetOrdinals;
}

/** Observed numbers of pods. */
export interface StatefulSetStatus {
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** Number of pods. */
  replicas: number;
  /** Pods that are ready. */
  readyReplicas?: number;
  /** Pods of currentRevision. */
  currentReplicas?: number;
  /** Pods of updateRevision. */
  updatedReplicas?: number;
  /** Revision of the pods with the lowest numbers. */
  currentRevision?: string;
  /** Revision of the pods with the highest numbers. */
  updateRevision?: string;
  /** How often the name for a new revision was already taken. */
  collisionCount?: number;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<StatefulSetCondition, 'type'>;
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number;
}

/** Observed numbers of pods. */
export interface StatefulSetStatusV1beta1 {
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** Number of pods. */
  replicas: number;
  /** Pods that are ready. */
  readyReplicas?: number;
  /** Pods of currentRevision. */
  currentReplicas?: number;
  /** Pods of updateRevision. */
  updatedReplicas?: number;
  /** Revision of the pods with the lowest numbers. */
  currentRevision?: string;
  /** Revision of the pods with the highest numbers. */
  updateRevision?: string;
  /** How often the name for a new revision was already taken. */
  collisionCount?: number;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<StatefulSetCondition, 'type'>;
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number;
}

/** A type of rollout, with its parameters. */
export interface StatefulSetUpdateStrategy {
  /** RollingUpdate replaces pods one after the other; OnDelete replaces pods only after they were deleted. RollingUpdate when empty. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}

/** A type of rollout, with its parameters. */
export interface StatefulSetUpdateStrategyV1beta1 {
  /** RollingUpdate replaces pods one after the other; OnDelete replaces pods only after they were deleted. OnDelete when empty. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}

/** Runs pods that have separate names, storage and an order, and keep them when they are replaced. */
export type StatefulSetV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: StatefulSetSpecV1beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: StatefulSetStatusV1beta1;
};
