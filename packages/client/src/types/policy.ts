// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

/** A CSI driver that pods may use for inline volumes. */
export interface AllowedCSIDriverV1beta1 {
  /** Name of the driver. */
  name: string;
}

/** A driver of flex volumes that pods may use. */
export interface AllowedFlexVolumeV1beta1 {
  /** Name of the driver. */
  driver: string;
}

/** Part of the file system of the node that pods may mount. */
export interface AllowedHostPathV1beta1 {
  /** Where the part begins: `/foo` allows `/foo` and `/foo/bar`, not `/food`. */
  pathPrefix?: string;
  /** It may be mounted for reading only. */
  readOnly?: boolean;
}

/** Requests the eviction of a pod from its node, subject to disruption budgets. Posted to the eviction subresource of the pod. */
export type Eviction = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** How the pod is deleted when the eviction is granted. */
  deleteOptions?: meta.DeleteOptions;
};

/** Requests the eviction of a pod from its node, subject to disruption budgets. Posted to the eviction subresource of the pod. */
export type EvictionV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** How the pod is deleted when the eviction is granted. */
  deleteOptions?: meta.DeleteOptions;
};

/** A rule, and the ranges of volume group ids that it applies to. */
export interface FSGroupStrategyOptionsV1beta1 {
  /** MayRunAs, MustRunAs or RunAsAny. */
  rule?: string;
  /** Allowed ranges; the lowest of the first range is the default. */
  ranges?: IDRangeV1beta1[];
}

/** Ports of the node, both ends included. */
export interface HostPortRangeV1beta1 {
  /** The lowest. */
  min: number;
  /** The highest. */
  max: number;
}

/** Numbers of users or groups, both ends included. */
export interface IDRangeV1beta1 {
  /** The lowest. */
  min: Int64;
  /** The highest. */
  max: Int64;
}

/** Bounds how many pods of a set may be evicted at the same time. */
export type PodDisruptionBudget = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: PodDisruptionBudgetSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: PodDisruptionBudgetStatus;
};

/** The pods that the budget covers, and how many of them must remain available. */
export interface PodDisruptionBudgetSpec {
  /** How many pods, or what percentage, must stay available. Not together with maxUnavailable. */
  minAvailable?: number | string;
  /** Labels of the covered pods. An empty selector covers all pods of the namespace, an absent one none. */
  selector?: meta.LabelSelector;
  /** How many pods, or what percentage, may be unavailable. Not together with minAvailable. */
  maxUnavailable?: number | string;
  /** Whether pods that run but are not ready may be evicted: IfHealthyBudget, when there are enough others, or AlwaysAllow. */
  unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget' | (string & {});
}

/** The pods that the budget covers, and how many of them must remain available. */
export interface PodDisruptionBudgetSpecV1beta1 {
  /** How many pods, or what percentage, must stay available. Not together with maxUnavailable. */
  minAvailable?: number | string;
  /** Labels of the covered pods. An empty selector covers no pods, as does an absent one. */
  selector?: meta.LabelSelector;
  /** How many pods, or what percentage, may be unavailable. Not together with minAvailable. */
  maxUnavailable?: number | string;
  /** Whether pods that run but are not ready may be evicted: IfHealthyBudget, when there are enough others, or AlwaysAllow. */
  unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget' | (string & {});
}

/** How many of the covered pods may currently be evicted. */
export interface PodDisruptionBudgetStatus {
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** Pods whose eviction was granted, with the time, until the controller has observed their deletion. */
  disruptedPods?: Record<string, string>;
  /** Pods that may be evicted now. */
  disruptionsAllowed: number;
  /** Pods that are healthy. */
  currentHealthy: number;
  /** Pods that have to be healthy. */
  desiredHealthy: number;
  /** Pods that the budget covers. */
  expectedPods: number;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<meta.Condition, 'type'>;
}

/** How many of the covered pods may currently be evicted. */
export interface PodDisruptionBudgetStatusV1beta1 {
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** Pods whose eviction was granted, with the time, until the controller has observed their deletion. */
  disruptedPods?: Record<string, string>;
  /** Pods that may be evicted now. */
  disruptionsAllowed: number;
  /** Pods that are healthy. */
  currentHealthy: number;
  /** Pods that have to be healthy. */
  desiredHealthy: number;
  /** Pods that the budget covers. */
  expectedPods: number;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<meta.Condition, 'type'>;
}

/** Bounds how many pods of a set may be evicted at the same time. */
export type PodDisruptionBudgetV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: PodDisruptionBudgetSpecV1beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: PodDisruptionBudgetStatusV1beta1;
};

/** Privileges of pods under the policy, and their defaults. */
export interface PodSecurityPolicySpecV1beta1 {
  /** Containers may be privileged. */
  privileged?: boolean;
  /** Capabilities added to every container that does not drop them. */
  defaultAddCapabilities?: string[];
  /** Capabilities that every container must drop. */
  requiredDropCapabilities?: string[];
  /** Capabilities that containers may request; `*` for all. */
  allowedCapabilities?: string[];
  /** Kinds of volumes that pods may use; `*` for all, none when empty. */
  volumes?: string[];
  /** Pods may use the network of their node. */
  hostNetwork?: boolean;
  /** Ports of the node that pods may use. */
  hostPorts?: HostPortRangeV1beta1[];
  /** Pods may see the processes of their node. */
  hostPID?: boolean;
  /** Pods may use the shared memory of their node. */
  hostIPC?: boolean;
  /** Allowed SELinux labels. */
  seLinux: SELinuxStrategyOptionsV1beta1;
  /** Users that containers may run as. */
  runAsUser: RunAsUserStrategyOptionsV1beta1;
  /** Main groups that containers may run with; any when absent. */
  runAsGroup?: RunAsGroupStrategyOptionsV1beta1;
  /** Further groups that containers may run with. */
  supplementalGroups: SupplementalGroupsStrategyOptionsV1beta1;
  /** Groups that may own the volumes of a pod. */
  fsGroup: FSGroupStrategyOptionsV1beta1;
  /** Containers cannot write to their own file system. */
  readOnlyRootFilesystem?: boolean;
  /** Whether processes may gain privileges when the container does not specify it. */
  defaultAllowPrivilegeEscalation?: boolean;
  /** Whether containers may let processes gain privileges. */
  allowPrivilegeEscalation?: boolean;
  /** Parts of the file system of the node that pods may mount; all when empty. */
  allowedHostPaths?: AllowedHostPathV1beta1[];
  /** Drivers of flex volumes that pods may use; all when empty. */
  allowedFlexVolumes?: AllowedFlexVolumeV1beta1[];
  /** CSI drivers that pods may use for inline volumes; all when empty. */
  allowedCSIDrivers?: AllowedCSIDriverV1beta1[];
  /** Unsafe kernel parameters that pods may set; a `*` at the end stands for any rest. */
  allowedUnsafeSysctls?: string[];
  /** Kernel parameters that pods may not set; a `*` at the end stands for any rest. */
  forbiddenSysctls?: string[];
  /** Ways to mount the proc file system; the default one only when empty. */
  allowedProcMountTypes?: ('Default' | 'Unmasked' | (string & {}))[];
  /** Allowed runtime classes; all when absent. */
  runtimeClass?: RuntimeClassStrategyOptionsV1beta1;
}

/** Bounds the privileges of pods whose creator or service account is authorized to use the policy. */
export type PodSecurityPolicyV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: PodSecurityPolicySpecV1beta1;
};

/** Main groups that containers may run with. */
export interface RunAsGroupStrategyOptionsV1beta1 {
  /** MayRunAs, MustRunAs or RunAsAny. */
  rule: string;
  /** Allowed ranges; the lowest of the first range is the default. */
  ranges?: IDRangeV1beta1[];
}

/** A rule, and the ranges of user ids that it applies to. */
export interface RunAsUserStrategyOptionsV1beta1 {
  /** MustRunAs, MustRunAsNonRoot or RunAsAny. */
  rule: string;
  /** Allowed ranges; the lowest of the first range is the default. */
  ranges?: IDRangeV1beta1[];
}

/** Allowed runtime classes. */
export interface RuntimeClassStrategyOptionsV1beta1 {
  /** The allowed ones; `*` alone allows all, an empty list only pods that name none. */
  allowedRuntimeClassNames: string[] | null;
  /** Default for pods that name none. */
  defaultRuntimeClassName?: string;
}

/** A rule, and the labels that it applies to. */
export interface SELinuxStrategyOptionsV1beta1 {
  /** MustRunAs for the labels below, RunAsAny for any labels. */
  rule: string;
  /** The labels. */
  seLinuxOptions?: core.SELinuxOptions;
}

/** A rule, and the ranges of further group ids that it applies to. */
export interface SupplementalGroupsStrategyOptionsV1beta1 {
  /** MayRunAs, MustRunAs or RunAsAny. */
  rule?: string;
  /** Allowed ranges; the lowest of the first range is the default. */
  ranges?: IDRangeV1beta1[];
}
