// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';
import type * as apps from './apps.ts';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

export type DaemonSetSpecV1beta1 = {
  readonly selector?: meta.LabelSelector;
  readonly template?: core.PodTemplateSpec;
  readonly updateStrategy?: DaemonSetUpdateStrategyV1beta1;
  readonly minReadySeconds?: number;
  readonly templateGeneration?: number | ExactNumber;
  readonly revisionHistoryLimit?: number;
};

export type DaemonSetUpdateStrategyV1beta1 = {
  readonly type?: string;
  readonly rollingUpdate?: apps.RollingUpdateDaemonSet;
};

export type DaemonSetV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: DaemonSetSpecV1beta1;
  readonly status?: apps.DaemonSetStatus;
};

export type DeploymentRollbackV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly updatedAnnotations?: Readonly<Record<string, string>>;
  readonly rollbackTo?: RollbackConfigV1beta1;
};

export type DeploymentSpecV1beta1 = {
  readonly replicas?: number;
  readonly selector?: meta.LabelSelector;
  readonly template?: core.PodTemplateSpec;
  readonly strategy?: DeploymentStrategyV1beta1;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly paused?: boolean;
  readonly rollbackTo?: RollbackConfigV1beta1;
  readonly progressDeadlineSeconds?: number;
};

export type DeploymentStrategyV1beta1 = {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateDeploymentV1beta1;
};

export type DeploymentV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: DeploymentSpecV1beta1;
  readonly status?: apps.DeploymentStatus;
};

export type ReplicaSetSpecV1beta1 = {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: meta.LabelSelector;
  readonly template?: core.PodTemplateSpec;
};

export type ReplicaSetV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ReplicaSetSpecV1beta1;
  readonly status?: apps.ReplicaSetStatus;
};

export type ReplicationControllerDummyV1beta1 = Record<string, never>;

export type RollbackConfigV1beta1 = {
  readonly revision?: number | ExactNumber;
};

export type RollingUpdateDeploymentV1beta1 = {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
};

export type ScaleSpecV1beta1 = {
  readonly replicas?: number;
};

export type ScaleStatusV1beta1 = {
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
