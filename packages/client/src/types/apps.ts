// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

/** A state that a controller can go back to. Data does not change once it is there. */
export type ControllerRevision = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The state, in a form that the controller knows. */
  data?: Record<string, unknown> | null;
  /** Number of the state; higher ones are newer. */
  revision: number;
};

/** Runs a copy of a pod on every node, or on those that its template selects. */
export type DaemonSet = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: DaemonSetSpec;
  /** What was observed last; written by the system, never by the owner. */
  status?: DaemonSetStatus;
};

/** What is known of one aspect of a DaemonSet. */
export interface DaemonSetCondition {
  /** Aspect that the condition speaks of. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** One CamelCase word for programs: why it is so. */
  reason?: string;
  /** Details for people. */
  message?: string;
}

/** Which pods run on every node, and how they are replaced. */
export interface DaemonSetSpec {
  /** Pods that count. It must match the labels of the template and cannot change later. */
  selector: meta.LabelSelector | null;
  /** What pods are made from. */
  template: core.PodTemplateSpec;
  /** The way from old pods to new ones. */
  updateStrategy?: DaemonSetUpdateStrategy;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** How many earlier revisions are kept to go back to. */
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
  /** Generation that the controller has seen. */
  observedGeneration?: number;
  /** Nodes whose pod is made from the present template. */
  updatedNumberScheduled?: number;
  /** Nodes whose pod has been ready for minReadySeconds. */
  numberAvailable?: number;
  /** Nodes whose pod is missing, or not available yet. */
  numberUnavailable?: number;
  /** How often the name for a new revision was already taken. */
  collisionCount?: number;
  /** Observations about the object, one entry per type. */
  conditions?: DaemonSetCondition[];
}

/** A type of rollout, with its parameters. */
export interface DaemonSetUpdateStrategy {
  /** RollingUpdate replaces pods little by little; OnDelete waits until somebody deletes them. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: RollingUpdateDaemonSet;
}

/** Keeps a number of equal pods running, and replaces them when their template changes. */
export type Deployment = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: DeploymentSpec;
  /** What was observed last; written by the system, never by the owner. */
  status?: DeploymentStatus;
};

/** What is known of one aspect of a Deployment. */
export interface DeploymentCondition {
  /** Available, Progressing or ReplicaFailure. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the condition was last written. */
  lastUpdateTime?: string | null;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** One CamelCase word for programs: why it is so. */
  reason?: string;
  /** Details for people. */
  message?: string;
}

/** How many pods there should be, from what, and how they are replaced. */
export interface DeploymentSpec {
  /** How many pods are wanted. */
  replicas?: number;
  /** Pods that count. It must match the labels of the template and cannot change later. */
  selector: meta.LabelSelector | null;
  /** What pods are made from. */
  template: core.PodTemplateSpec;
  /** The way from old pods to new ones. */
  strategy?: DeploymentStrategy;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** How many earlier revisions are kept to go back to. */
  revisionHistoryLimit?: number;
  /** While true, changes of the template are not rolled out. */
  paused?: boolean;
  /** Seconds without progress after which a rollout counts as failed; more than minReadySeconds. */
  progressDeadlineSeconds?: number;
}

/** How many pods there should be, from what, and how they are replaced. */
export interface DeploymentSpecV1beta1 {
  /** How many pods are wanted. */
  replicas?: number;
  /** Pods that count; those with the labels of the template when absent. */
  selector?: meta.LabelSelector;
  /** What pods are made from. */
  template: core.PodTemplateSpec;
  /** The way from old pods to new ones. */
  strategy?: DeploymentStrategy;
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

/** How far a Deployment has come. */
export interface DeploymentStatus {
  /** Generation that the controller has seen. */
  observedGeneration?: number;
  /** Pods there are, old and new ones. */
  replicas?: number;
  /** Pods that are made from the present template. */
  updatedReplicas?: number;
  /** Pods that are ready. */
  readyReplicas?: number;
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number;
  /** Pods that are still missing, or not available yet. */
  unavailableReplicas?: number;
  /** Observations about the object, one entry per type. */
  conditions?: DeploymentCondition[];
  /** How often the name for a new revision was already taken. */
  collisionCount?: number;
}

/** A type of rollout, with its parameters. */
export interface DeploymentStrategy {
  /** RollingUpdate replaces pods little by little; Recreate removes all old ones first. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: RollingUpdateDeployment;
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
  status?: DeploymentStatus;
};

/** Keeps a number of equal pods running. Deployments make and manage them. */
export type ReplicaSet = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: ReplicaSetSpec;
  /** What was observed last; written by the system, never by the owner. */
  status?: ReplicaSetStatus;
};

/** What is known of one aspect of a ReplicaSet. */
export interface ReplicaSetCondition {
  /** Such as ReplicaFailure. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** One CamelCase word for programs: why it is so. */
  reason?: string;
  /** Details for people. */
  message?: string;
}

/** How many pods there should be, and from what. */
export interface ReplicaSetSpec {
  /** How many pods are wanted. */
  replicas?: number;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Pods that count. It must match the labels of the template and cannot change later. */
  selector: meta.LabelSelector | null;
  /** What pods are made from. */
  template?: core.PodTemplateSpec;
}

/** How many pods there are. */
export interface ReplicaSetStatus {
  /** Pods there are. */
  replicas: number;
  /** Pods with all labels of the template. */
  fullyLabeledReplicas?: number;
  /** Pods that are ready. */
  readyReplicas?: number;
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number;
  /** Generation that the controller has seen. */
  observedGeneration?: number;
  /** Observations about the object, one entry per type. */
  conditions?: ReplicaSetCondition[];
}

/** The revision to go back to. */
export interface RollbackConfigV1beta1 {
  /** Number of the revision; the one before the present one when 0. */
  revision?: number;
}

/** How fast old pods are replaced by new ones. */
export interface RollingUpdateDaemonSet {
  /** On how many nodes the pod may be missing meanwhile: a number or a percentage. */
  maxUnavailable?: number | string;
  /** On how many nodes an old and a new pod may run meanwhile: a number or a percentage. */
  maxSurge?: number | string;
}

/** How fast old pods are replaced by new ones. */
export interface RollingUpdateDeployment {
  /** How many pods fewer than wanted there may be meanwhile: a number or a percentage. */
  maxUnavailable?: number | string;
  /** How many pods more than wanted there may be meanwhile: a number or a percentage. */
  maxSurge?: number | string;
}

/** Which pods are replaced, and how many at a time. */
export interface RollingUpdateStatefulSetStrategy {
  /** Pods with a lower number stay as they are. */
  partition?: number;
  /** How many pods may be missing meanwhile: a number or a percentage. */
  maxUnavailable?: number | string;
}

/** The wanted number of replicas. */
export interface ScaleSpecV1beta1 {
  /** How many replicas are wanted. */
  replicas?: number;
}

/** The wanted number of replicas. */
export interface ScaleSpecV1beta2 {
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

/** The present number of replicas. */
export interface ScaleStatusV1beta2 {
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

/** The size of anything that has replicas, without the rest of it. */
export type ScaleV1beta2 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: ScaleSpecV1beta2;
  /** What was observed last; written by the system, never by the owner. */
  status?: ScaleStatusV1beta2;
};

/** Runs pods that have separate names, storage and an order, and keep them when they are replaced. */
export type StatefulSet = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: StatefulSetSpec;
  /** What was observed last; written by the system, never by the owner. */
  status?: StatefulSetStatus;
};

/** What is known of one aspect of a StatefulSet. */
export interface StatefulSetCondition {
  /** Aspect that the condition speaks of. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** One CamelCase word for programs: why it is so. */
  reason?: string;
  /** Details for people. */
  message?: string;
}

/** How the pods are numbered. */
export interface StatefulSetOrdinals {
  /** Number of the first pod. */
  start?: number;
}

/** Whether claims are deleted or retained, by the event that leaves them without a pod. */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  /** Retain or Delete: what becomes of claims when the set is deleted. */
  whenDeleted?: string;
  /** Retain or Delete: what becomes of claims when the set gets fewer pods. */
  whenScaled?: string;
}

/** How many pods there should be, from what, and how they are replaced. */
export interface StatefulSetSpec {
  /** How many pods are wanted. */
  replicas?: number;
  /** Pods that count. It must match the labels of the template and cannot change later. */
  selector: meta.LabelSelector | null;
  /** What pods are made from. */
  template: core.PodTemplateSpec;
  /** Every pod gets a separate claim for each of these, and keeps it under the same name. */
  volumeClaimTemplates?: core.PersistentVolumeClaim[];
  /** Service that gives the pods their host names; it must be there first. */
  serviceName: string;
  /** OrderedReady starts and stops pods one after the other; Parallel does not wait. */
  podManagementPolicy?: string;
  /** The way from old pods to new ones. */
  updateStrategy?: StatefulSetUpdateStrategy;
  /** How many earlier revisions are kept to go back to. */
  revisionHistoryLimit?: number;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** What becomes of the claims of pods that are there no more. */
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  /** How the pods are numbered; from 0 when absent. */
  ordinals?: StatefulSetOrdinals;
}

/** How many pods there should be, from what, and how they are replaced. */
export interface StatefulSetSpecV1beta1 {
  /** How many pods are wanted. */
  replicas?: number;
  /** Pods that count; those with the labels of the template when absent. */
  selector?: meta.LabelSelector;
  /** What pods are made from. */
  template: core.PodTemplateSpec;
  /** Every pod gets a separate claim for each of these, and keeps it under the same name. */
  volumeClaimTemplates?: core.PersistentVolumeClaim[];
  /** Service that gives the pods their host names; it must be there first. */
  serviceName: string;
  /** OrderedReady starts and stops pods one after the other; Parallel does not wait. */
  podManagementPolicy?: string;
  /** The way from old pods to new ones. */
  updateStrategy?: StatefulSetUpdateStrategyV1beta1;
  /** How many earlier revisions are kept to go back to. */
  revisionHistoryLimit?: number;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** What becomes of the claims of pods that are there no more. */
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  /** How the pods are numbered; from 0 when absent. */
  ordinals?: StatefulSetOrdinals;
}

/** How many pods there are. */
export interface StatefulSetStatus {
  /** Generation that the controller has seen. */
  observedGeneration?: number;
  /** Pods there are. */
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
  conditions?: StatefulSetCondition[];
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number;
}

/** How many pods there are. */
export interface StatefulSetStatusV1beta1 {
  /** Generation that the controller has seen. */
  observedGeneration?: number;
  /** Pods there are. */
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
  conditions?: StatefulSetCondition[];
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number;
}

/** A type of rollout, with its parameters. */
export interface StatefulSetUpdateStrategy {
  /** RollingUpdate replaces pods one after the other; OnDelete waits until somebody deletes them. RollingUpdate when empty. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}

/** A type of rollout, with its parameters. */
export interface StatefulSetUpdateStrategyV1beta1 {
  /** RollingUpdate replaces pods one after the other; OnDelete waits until somebody deletes them. OnDelete when empty. */
  type?: string;
  /** Only for RollingUpdate. */
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}

/** Runs pods that have separate names, storage and an order, and keep them when they are replaced. */
export type StatefulSetV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: StatefulSetSpecV1beta1;
  /** What was observed last; written by the system, never by the owner. */
  status?: StatefulSetStatusV1beta1;
};
