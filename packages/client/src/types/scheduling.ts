// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as meta from './meta.ts';

/** Groups are disrupted together. */
export type AllCompositeDisruptionModeV1beta1 = Record<string, never>;

/** Pods are disrupted together. */
export type AllDisruptionModeV1beta1 = Record<string, never>;

/** Pods are scheduled one by one. */
export type BasicSchedulingPolicyV1beta1 = Record<string, never>;

/** Groups are scheduled one by one. */
export type CompositeBasicSchedulingPolicyV1beta1 = Record<string, never>;

/** Whether Groups are disrupted one by one or together: exactly one of the modes. */
export interface CompositeDisruptionModeV1beta1 {
  /** Each is disrupted on its own. */
  single?: SingleCompositeDisruptionModeV1beta1;
  /** All are disrupted together. */
  all?: AllCompositeDisruptionModeV1beta1;
}

/** Groups are placed on nodes together, or not at all. */
export interface CompositeGangSchedulingPolicyV1beta1 {
  /** Number of groups that must be placeable at the same time. */
  minGroupCount: number;
}

/** Where pods are placed relative to each other. */
export interface CompositePodGroupSchedulingConstraintsV1beta1 {
  /** Domains that all pods share; at most one for now. */
  topology?: TopologyConstraintV1alpha3[];
}

/** How the groups of a composite group are scheduled: exactly one policy. */
export interface CompositePodGroupSchedulingPolicyV1beta1 {
  /** Each group is scheduled on its own. */
  basic?: CompositeBasicSchedulingPolicyV1beta1;
  /** All of a minimum of groups are scheduled, or none. */
  gang?: CompositeGangSchedulingPolicyV1beta1;
}

/** The policies of a composite group, mostly copied from a template. */
export interface CompositePodGroupSpecV1alpha3 {
  /** Name of the composite group that this one belongs to; absent for a group at the root. */
  parentCompositePodGroupName?: string;
  /** The template that the group was created from. */
  workloadRef: WorkloadReferenceV1beta1;
  /** How the groups are scheduled. */
  schedulingPolicy: CompositePodGroupSchedulingPolicyV1beta1;
  /** Where pods of the groups are placed. */
  schedulingConstraints?: CompositePodGroupSchedulingConstraintsV1beta1;
  /** Whether the groups are disrupted one by one or together. */
  disruptionMode?: CompositeDisruptionModeV1beta1;
  /** Priority class of the pods of the group. */
  priorityClassName?: string;
  /** Priority of the group; higher ones come first. */
  priority?: number;
  /** Whether less important pods may be removed for the group: PreemptLowerPriority or Never. */
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | (string & {});
}

/** What is known about the groups. */
export interface CompositePodGroupStatusV1alpha3 {
  /** Aspects of the state by type: CompositePodGroupInitiallyScheduled and DisruptionTarget. */
  conditions?: KeyedList<meta.Condition, 'type'>;
}

/** Template of a group of groups. */
export interface CompositePodGroupTemplateV1beta1 {
  /** Name of the template, which no other template of the workload has. */
  name: string;
  /** How the groups are scheduled. */
  schedulingPolicy: CompositePodGroupSchedulingPolicyV1beta1;
  /** Where pods of the groups are placed. */
  schedulingConstraints?: CompositePodGroupSchedulingConstraintsV1beta1;
  /** Whether the groups are disrupted one by one or together. */
  disruptionMode?: CompositeDisruptionModeV1beta1;
  /** Priority class of the pods of the group. */
  priorityClassName?: string;
  /** Priority of the group; higher ones come first. */
  priority?: number;
  /** Whether less important pods may be removed for the group: PreemptLowerPriority or Never. */
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | (string & {});
  /** Groups of pods in this group. */
  podGroupTemplates?: KeyedList<PodGroupTemplateV1beta1, 'name'>;
  /** Groups of groups in this group. */
  compositePodGroupTemplates?: KeyedList<CompositePodGroupTemplateV1beta1, 'name'>;
}

/** A group of groups of pods that are scheduled by a common policy. */
export type CompositePodGroupV1alpha3 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: CompositePodGroupSpecV1alpha3;
  /** Most recently observed state of the object; written by the system. */
  status?: CompositePodGroupStatusV1alpha3;
};

/** Whether Pods are disrupted one by one or together: exactly one of the modes. */
export interface DisruptionModeV1beta1 {
  /** Each is disrupted on its own. */
  single?: SingleDisruptionModeV1beta1;
  /** All are disrupted together. */
  all?: AllDisruptionModeV1beta1;
}

/** Pods are placed on nodes together, or not at all. */
export interface GangSchedulingPolicyV1beta1 {
  /** Number of pods that must be placeable at the same time. */
  minCount: number;
}

/** How the pods of a group are scheduled: exactly one policy. */
export interface PodGroupPolicyV1alpha1 {
  /** Each pod is scheduled on its own. */
  basic?: BasicSchedulingPolicyV1beta1;
  /** All of a minimum of pods are scheduled, or none. */
  gang?: GangSchedulingPolicyV1beta1;
}

/** The claim that was created for an entry of the group. */
export interface PodGroupResourceClaimStatusV1beta1 {
  /** Name of the entry in the spec. */
  name: string;
  /** Name of the claim; absent when none was needed. */
  resourceClaimName?: string;
}

/** A claim on devices that the pods of a group share: an existing one, or one that is created from a template. */
export interface PodGroupResourceClaimV1beta1 {
  /** Name of the claim among those of the group; the claims of its pods refer to it. */
  name: string;
  /** Name of an existing claim in the namespace. */
  resourceClaimName?: string;
  /** Name of a template in the namespace, from which the claim is created; it is deleted with the group. */
  resourceClaimTemplateName?: string;
}

/** Where pods are placed relative to each other. */
export interface PodGroupSchedulingConstraintsV1beta1 {
  /** Domains that all pods share; at most one for now. */
  topology?: TopologyConstraintV1alpha3[];
}

/** How the pods of a group are scheduled: exactly one policy. */
export interface PodGroupSchedulingPolicyV1alpha2 {
  /** Each pod is scheduled on its own. */
  basic?: BasicSchedulingPolicyV1beta1;
  /** All of a minimum of pods are scheduled, or none. */
  gang?: GangSchedulingPolicyV1beta1;
}

/** How the pods of a group are scheduled: exactly one policy, which cannot be exchanged later. */
export interface PodGroupSchedulingPolicyV1beta1 {
  /** Each pod is scheduled on its own. */
  basic?: BasicSchedulingPolicyV1beta1;
  /** All of a minimum of pods are scheduled, or none. */
  gang?: GangSchedulingPolicyV1beta1;
}

/** The policies of a group, mostly copied from a template. */
export interface PodGroupSpecV1alpha2 {
  /** The template that the group was created from. */
  podGroupTemplateRef?: PodGroupTemplateReferenceV1alpha2 | null;
  /** How pods of the group are scheduled. */
  schedulingPolicy: PodGroupSchedulingPolicyV1alpha2;
  /** Where pods of the group are placed. */
  schedulingConstraints?: PodGroupSchedulingConstraintsV1beta1;
  /** Claims on devices that pods of the group share. */
  resourceClaims?: KeyedList<PodGroupResourceClaimV1beta1, 'name'>;
  /** Whether pods are disrupted one by one (Pod) or together (PodGroup). */
  disruptionMode?: 'Pod' | 'PodGroup' | (string & {});
  /** Priority class of the pods of the group. */
  priorityClassName?: string;
  /** Priority of the group; higher ones come first. */
  priority?: number;
}

/** The policies of a group, mostly copied from a template. */
export interface PodGroupSpecV1beta1 {
  /** Name of the composite group that this one belongs to; absent for a group at the root. */
  parentCompositePodGroupName?: string;
  /** The template that the group was created from. */
  workloadRef?: WorkloadReferenceV1beta1;
  /** How pods of the group are scheduled. */
  schedulingPolicy: PodGroupSchedulingPolicyV1beta1;
  /** Where pods of the group are placed. */
  schedulingConstraints?: PodGroupSchedulingConstraintsV1beta1;
  /** Claims on devices that pods of the group share. */
  resourceClaims?: KeyedList<PodGroupResourceClaimV1beta1, 'name'>;
  /** Whether the pods of the group are disrupted one by one or together. */
  disruptionMode?: DisruptionModeV1beta1;
  /** Priority class of the pods of the group. */
  priorityClassName?: string;
  /** Priority of the group; higher ones come first. */
  priority?: number;
  /** Whether less important pods may be removed for the group: PreemptLowerPriority or Never. */
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | (string & {});
}

/** What is known about the group. */
export interface PodGroupStatusV1beta1 {
  /** Aspects of the state by type: PodGroupInitiallyScheduled and DisruptionTarget. */
  conditions?: KeyedList<meta.Condition, 'type'>;
  /** Claims that were created from templates. */
  resourceClaimStatuses?: KeyedList<PodGroupResourceClaimStatusV1beta1, 'name'>;
}

/** The template from which a group was created. */
export interface PodGroupTemplateReferenceV1alpha2 {
  /** The workload and the name of the template. */
  workload?: WorkloadPodGroupTemplateReferenceV1alpha2 | null;
}

/** Template of a group of pods. */
export interface PodGroupTemplateV1alpha2 {
  /** Name of the template, which no other template of the workload has. */
  name: string;
  /** How pods of the group are scheduled. */
  schedulingPolicy: PodGroupSchedulingPolicyV1alpha2;
  /** Where pods of the group are placed. */
  schedulingConstraints?: PodGroupSchedulingConstraintsV1beta1 | null;
  /** Claims on devices that pods of the group share. */
  resourceClaims?: KeyedList<PodGroupResourceClaimV1beta1, 'name'>;
  /** Whether pods are disrupted one by one (Pod) or together (PodGroup). */
  disruptionMode?: 'Pod' | 'PodGroup' | (string & {});
  /** Priority class of the pods of the group. */
  priorityClassName?: string;
  /** Priority of the group; higher ones come first. */
  priority?: number;
}

/** Template of a group of pods. */
export interface PodGroupTemplateV1beta1 {
  /** Name of the template, which no other template of the workload has. */
  name: string;
  /** How pods of the group are scheduled. */
  schedulingPolicy: PodGroupSchedulingPolicyV1beta1;
  /** Where pods of the group are placed. */
  schedulingConstraints?: PodGroupSchedulingConstraintsV1beta1 | null;
  /** Claims on devices that pods of the group share. */
  resourceClaims?: KeyedList<PodGroupResourceClaimV1beta1, 'name'>;
  /** Whether the pods of the group are disrupted one by one or together. */
  disruptionMode?: DisruptionModeV1beta1;
  /** Priority class of the pods of the group. */
  priorityClassName?: string;
  /** Priority of the group; higher ones come first. */
  priority?: number;
  /** Whether less important pods may be removed for the group: PreemptLowerPriority or Never. */
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | (string & {});
}

/** A group of pods. */
export interface PodGroupV1alpha1 {
  /** Name of the template, which no other template of the workload has. */
  name: string;
  /** How pods of the group are scheduled. */
  policy: PodGroupPolicyV1alpha1;
}

/** A group of pods that are scheduled by a common policy. */
export type PodGroupV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: PodGroupSpecV1alpha2;
  /** Most recently observed state of the object; written by the system. */
  status?: PodGroupStatusV1beta1;
};

/** A group of pods that are scheduled by a common policy. */
export type PodGroupV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: PodGroupSpecV1beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: PodGroupStatusV1beta1;
};

/** A named priority that pods can select. */
export type PriorityClass = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The priority: pods of a higher one come first. It cannot change. */
  value: number;
  /** Whether this is the class of pods that name none. There is at most one such class. */
  globalDefault?: boolean;
  /** Human-readable description of the use of the class. */
  description?: string;
  /** Whether less important pods may be removed for those of the class: PreemptLowerPriority or Never. */
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | (string & {});
};

/** Groups are disrupted one by one. */
export type SingleCompositeDisruptionModeV1beta1 = Record<string, never>;

/** Pods are disrupted one by one. */
export type SingleDisruptionModeV1beta1 = Record<string, never>;

/** A domain of nodes that the pods share. */
export interface TopologyConstraintV1alpha3 {
  /** Label of nodes whose value identifies the domain, such as that of a rack. */
  key: string;
}

/** An object in the same namespace. */
export interface TypedLocalObjectReferenceV1beta1 {
  /** Group of the object; empty for the core group. */
  apiGroup?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
}

/** Pods are disrupted together. */
export type WorkloadPodGroupAllDisruptionModeV1alpha3 = Record<string, never>;

/** Pods are scheduled one by one. */
export type WorkloadPodGroupBasicSchedulingPolicyV1alpha3 = Record<string, never>;

/** Whether pods are disrupted one by one or together: exactly one of the modes. */
export interface WorkloadPodGroupDisruptionModeV1alpha3 {
  /** Each is disrupted on its own. */
  single?: WorkloadPodGroupSingleDisruptionModeV1alpha3;
  /** All are disrupted together. */
  all?: WorkloadPodGroupAllDisruptionModeV1alpha3;
}

/** Pods are placed on nodes together, or not at all. */
export interface WorkloadPodGroupGangSchedulingPolicyV1alpha3 {
  /** Number of pods that must be placeable at the same time; by default all that may run at a time. */
  minCount?: number;
}

/** A claim on devices that the pods of a group share: an existing one, or one that is created from a template. */
export interface WorkloadPodGroupResourceClaimV1alpha3 {
  /** Name of the claim among those of the group; the claims of its pods refer to it. */
  name: string;
  /** Name of an existing claim in the namespace. */
  resourceClaimName?: string;
  /** Name of a template in the namespace, from which the claim is created; it is deleted with the group. */
  resourceClaimTemplateName?: string;
}

/** Where pods are placed relative to each other. */
export interface WorkloadPodGroupSchedulingConstraintsV1alpha3 {
  /** Domains that all pods share; at most one for now. */
  topology?: TopologyConstraintV1alpha3[];
}

/** How pods are scheduled: exactly one policy, which cannot be exchanged later. */
export interface WorkloadPodGroupSchedulingPolicyV1alpha3 {
  /** Each pod is scheduled on its own. */
  basic?: WorkloadPodGroupBasicSchedulingPolicyV1alpha3;
  /** All of a minimum of pods are scheduled, or none. */
  gang?: WorkloadPodGroupGangSchedulingPolicyV1alpha3;
}

/** Pods are disrupted one by one. */
export type WorkloadPodGroupSingleDisruptionModeV1alpha3 = Record<string, never>;

/** A template of a workload. */
export interface WorkloadPodGroupTemplateReferenceV1alpha2 {
  /** Name of the workload. */
  workloadName: string;
  /** Name of the template in the workload. */
  podGroupTemplateName: string;
}

/** The template of a workload from which a group was created. */
export interface WorkloadReferenceV1beta1 {
  /** Name of the workload. */
  workloadName: string;
  /** Name of the template in the workload. */
  templateName: string;
}

/** Groups of pods. */
export interface WorkloadSpecV1alpha1 {
  /** The object that the workload belongs to, such as a Job; for tools. */
  controllerRef?: TypedLocalObjectReferenceV1beta1;
  /** The groups; they cannot change. */
  podGroups: KeyedList<PodGroupV1alpha1, 'name'>;
}

/** Templates of groups of pods. */
export interface WorkloadSpecV1alpha2 {
  /** The object that the workload belongs to, such as a Job; for tools. */
  controllerRef?: TypedLocalObjectReferenceV1beta1;
  /** Templates of groups of pods; they cannot change. */
  podGroupTemplates: KeyedList<PodGroupTemplateV1alpha2, 'name'>;
}

/** Templates of groups of pods. */
export interface WorkloadSpecV1beta1 {
  /** The object that the workload belongs to, such as a Job; for tools. */
  controllerRef?: TypedLocalObjectReferenceV1beta1;
  /** Templates of groups of pods. */
  podGroupTemplates?: KeyedList<PodGroupTemplateV1beta1, 'name'> | null;
  /** Templates of groups of groups. */
  compositePodGroupTemplates?: KeyedList<CompositePodGroupTemplateV1beta1, 'name'>;
}

/** The groups of pods of an application, for the scheduler. */
export type WorkloadV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: WorkloadSpecV1alpha1;
};

/** The groups of pods of an application, for the scheduler. */
export type WorkloadV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: WorkloadSpecV1alpha2;
};

/** The groups of pods of an application, for the scheduler. */
export type WorkloadV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: WorkloadSpecV1beta1;
};
