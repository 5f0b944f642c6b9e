// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

export type ControllerRevision = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly revision?: number | ExactNumber;
};

export type DaemonSet = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: DaemonSetSpec;
  readonly status?: DaemonSetStatus;
};

export type DaemonSetCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type DaemonSetSpec = {
  readonly selector?: meta.LabelSelector | null;
  readonly template?: core.PodTemplateSpec;
  readonly updateStrategy?: DaemonSetUpdateStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
};

export type DaemonSetStatus = {
  readonly currentNumberScheduled?: number;
  readonly numberMisscheduled?: number;
  readonly desiredNumberScheduled?: number;
  readonly numberReady?: number;
  readonly observedGeneration?: number | ExactNumber;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly numberUnavailable?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly DaemonSetCondition[];
};

export type DaemonSetUpdateStrategy = {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateDaemonSet;
};

export type Deployment = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: DeploymentSpec;
  readonly status?: DeploymentStatus;
};

export type DeploymentCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastUpdateTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type DeploymentRollbackV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly updatedAnnotations?: Readonly<Record<string, string>>;
  readonly rollbackTo?: RollbackConfigV1beta1;
};

export type DeploymentSpec = {
  readonly replicas?: number;
  readonly selector?: meta.LabelSelector | null;
  readonly template?: core.PodTemplateSpec;
  readonly strategy?: DeploymentStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
};

export type DeploymentSpecV1beta1 = {
  readonly replicas?: number;
  readonly selector?: meta.LabelSelector;
  readonly template?: core.PodTemplateSpec;
  readonly strategy?: DeploymentStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly paused?: boolean;
  readonly rollbackTo?: RollbackConfigV1beta1;
  readonly progressDeadlineSeconds?: number;
};

export type DeploymentStatus = {
  readonly observedGeneration?: number | ExactNumber;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly conditions?: readonly DeploymentCondition[];
  readonly collisionCount?: number;
};

export type DeploymentStrategy = {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateDeployment;
};

export type DeploymentV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: DeploymentSpecV1beta1;
  readonly status?: DeploymentStatus;
};

export type ReplicaSet = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ReplicaSetSpec;
  readonly status?: ReplicaSetStatus;
};

export type ReplicaSetCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type ReplicaSetSpec = {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: meta.LabelSelector | null;
  readonly template?: core.PodTemplateSpec;
};

export type ReplicaSetStatus = {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly observedGeneration?: number | ExactNumber;
  readonly conditions?: readonly ReplicaSetCondition[];
};

export type RollbackConfigV1beta1 = {
  readonly revision?: number | ExactNumber;
};

export type RollingUpdateDaemonSet = {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
};

export type RollingUpdateDeployment = {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
};

export type RollingUpdateStatefulSetStrategy = {
  readonly partition?: number;
  readonly maxUnavailable?: number | string;
};

export type ScaleSpecV1beta1 = {
  readonly replicas?: number;
};

export type ScaleSpecV1beta2 = {
  readonly replicas?: number;
};

export type ScaleStatusV1beta1 = {
  readonly replicas?: number;
  readonly selector?: Readonly<Record<string, string>>;
  readonly targetSelector?: string;
};

export type ScaleStatusV1beta2 = {
  readonly replicas?: number;
  readonly selector?: Readonly<Record<string, string>>;
  readonly targetSelector?: string;
};

export type ScaleV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ScaleSpecV1beta1;
  readonly status?: ScaleStatusV1beta1;
};

export type ScaleV1beta2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ScaleSpecV1beta2;
  readonly status?: ScaleStatusV1beta2;
};

export type StatefulSet = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: StatefulSetSpec;
  readonly status?: StatefulSetStatus;
};

export type StatefulSetCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type StatefulSetOrdinals = {
  readonly start?: number;
};

export type StatefulSetPersistentVolumeClaimRetentionPolicy = {
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
};

export type StatefulSetSpec = {
  readonly replicas?: number;
  readonly selector?: meta.LabelSelector | null;
  readonly template?: core.PodTemplateSpec;
  readonly volumeClaimTemplates?: readonly core.PersistentVolumeClaim[];
  readonly serviceName?: string;
  readonly podManagementPolicy?: string;
  readonly updateStrategy?: StatefulSetUpdateStrategy;
  readonly revisionHistoryLimit?: number;
  readonly minReadySeconds?: number;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly ordinals?: StatefulSetOrdinals;
};

export type StatefulSetSpecV1beta1 = {
  readonly replicas?: number;
  readonly selector?: meta.LabelSelector;
  readonly template?: core.PodTemplateSpec;
  readonly volumeClaimTemplates?: readonly core.PersistentVolumeClaim[];
  readonly serviceName?: string;
  readonly podManagementPolicy?: string;
  readonly updateStrategy?: StatefulSetUpdateStrategyV1beta1;
  readonly revisionHistoryLimit?: number;
  readonly minReadySeconds?: number;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly ordinals?: StatefulSetOrdinals;
};

export type StatefulSetStatus = {
  readonly observedGeneration?: number | ExactNumber;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
  readonly conditions?: readonly StatefulSetCondition[];
  readonly availableReplicas?: number;
};

export type StatefulSetStatusV1beta1 = {
  readonly observedGeneration?: number | ExactNumber;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
  readonly conditions?: readonly StatefulSetCondition[];
  readonly availableReplicas?: number;
};

export type StatefulSetUpdateStrategy = {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
};

export type StatefulSetUpdateStrategyV1beta1 = {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
};

export type StatefulSetV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: StatefulSetSpecV1beta1;
  readonly status?: StatefulSetStatusV1beta1;
};
