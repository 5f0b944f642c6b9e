// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

export type AllowedCSIDriverV1beta1 = {
  readonly name?: string;
};

export type AllowedFlexVolumeV1beta1 = {
  readonly driver?: string;
};

export type AllowedHostPathV1beta1 = {
  readonly pathPrefix?: string;
  readonly readOnly?: boolean;
};

export type Eviction = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly deleteOptions?: meta.DeleteOptions;
};

export type EvictionV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly deleteOptions?: meta.DeleteOptions;
};

export type FSGroupStrategyOptionsV1beta1 = {
  readonly rule?: string;
  readonly ranges?: readonly IDRangeV1beta1[];
};

export type HostPortRangeV1beta1 = {
  readonly min?: number;
  readonly max?: number;
};

export type IDRangeV1beta1 = {
  readonly min?: number | ExactNumber;
  readonly max?: number | ExactNumber;
};

export type PodDisruptionBudget = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodDisruptionBudgetSpec;
  readonly status?: PodDisruptionBudgetStatus;
};

export type PodDisruptionBudgetSpec = {
  readonly minAvailable?: number | string;
  readonly selector?: meta.LabelSelector;
  readonly maxUnavailable?: number | string;
  readonly unhealthyPodEvictionPolicy?: string;
};

export type PodDisruptionBudgetSpecV1beta1 = {
  readonly minAvailable?: number | string;
  readonly selector?: meta.LabelSelector;
  readonly maxUnavailable?: number | string;
  readonly unhealthyPodEvictionPolicy?: string;
};

export type PodDisruptionBudgetStatus = {
  readonly observedGeneration?: number | ExactNumber;
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly expectedPods?: number;
  readonly conditions?: readonly meta.Condition[];
};

export type PodDisruptionBudgetStatusV1beta1 = {
  readonly observedGeneration?: number | ExactNumber;
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly expectedPods?: number;
  readonly conditions?: readonly meta.Condition[];
};

export type PodDisruptionBudgetV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodDisruptionBudgetSpecV1beta1;
  readonly status?: PodDisruptionBudgetStatusV1beta1;
};

export type PodSecurityPolicySpecV1beta1 = {
  readonly privileged?: boolean;
  readonly defaultAddCapabilities?: readonly string[];
  readonly requiredDropCapabilities?: readonly string[];
  readonly allowedCapabilities?: readonly string[];
  readonly volumes?: readonly string[];
  readonly hostNetwork?: boolean;
  readonly hostPorts?: readonly HostPortRangeV1beta1[];
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly seLinux?: SELinuxStrategyOptionsV1beta1;
  readonly runAsUser?: RunAsUserStrategyOptionsV1beta1;
  readonly runAsGroup?: RunAsGroupStrategyOptionsV1beta1;
  readonly supplementalGroups?: SupplementalGroupsStrategyOptionsV1beta1;
  readonly fsGroup?: FSGroupStrategyOptionsV1beta1;
  readonly readOnlyRootFilesystem?: boolean;
  readonly defaultAllowPrivilegeEscalation?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly allowedHostPaths?: readonly AllowedHostPathV1beta1[];
  readonly allowedFlexVolumes?: readonly AllowedFlexVolumeV1beta1[];
  readonly allowedCSIDrivers?: readonly AllowedCSIDriverV1beta1[];
  readonly allowedUnsafeSysctls?: readonly string[];
  readonly forbiddenSysctls?: readonly string[];
  readonly allowedProcMountTypes?: readonly string[];
  readonly runtimeClass?: RuntimeClassStrategyOptionsV1beta1;
};

export type PodSecurityPolicyV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodSecurityPolicySpecV1beta1;
};

export type RunAsGroupStrategyOptionsV1beta1 = {
  readonly rule?: string;
  readonly ranges?: readonly IDRangeV1beta1[];
};

export type RunAsUserStrategyOptionsV1beta1 = {
  readonly rule?: string;
  readonly ranges?: readonly IDRangeV1beta1[];
};

export type RuntimeClassStrategyOptionsV1beta1 = {
  readonly allowedRuntimeClassNames?: readonly string[] | null;
  readonly defaultRuntimeClassName?: string;
};

export type SELinuxStrategyOptionsV1beta1 = {
  readonly rule?: string;
  readonly seLinuxOptions?: core.SELinuxOptions;
};

export type SupplementalGroupsStrategyOptionsV1beta1 = {
  readonly rule?: string;
  readonly ranges?: readonly IDRangeV1beta1[];
};
