// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as meta from './meta.ts';

export type AllCompositeDisruptionModeV1beta1 = Record<string, never>;

export type AllDisruptionModeV1beta1 = Record<string, never>;

export type BasicSchedulingPolicyV1beta1 = Record<string, never>;

export type CompositeBasicSchedulingPolicyV1beta1 = Record<string, never>;

export type CompositeDisruptionModeV1beta1 = {
  readonly single?: SingleCompositeDisruptionModeV1beta1;
  readonly all?: AllCompositeDisruptionModeV1beta1;
};

export type CompositeGangSchedulingPolicyV1beta1 = {
  readonly minGroupCount?: number;
};

export type CompositePodGroupSchedulingConstraintsV1beta1 = {
  readonly topology?: readonly TopologyConstraintV1alpha3[];
};

export type CompositePodGroupSchedulingPolicyV1beta1 = {
  readonly basic?: CompositeBasicSchedulingPolicyV1beta1;
  readonly gang?: CompositeGangSchedulingPolicyV1beta1;
};

export type CompositePodGroupSpecV1alpha3 = {
  readonly parentCompositePodGroupName?: string;
  readonly workloadRef?: WorkloadReferenceV1beta1;
  readonly schedulingPolicy?: CompositePodGroupSchedulingPolicyV1beta1;
  readonly schedulingConstraints?: CompositePodGroupSchedulingConstraintsV1beta1;
  readonly disruptionMode?: CompositeDisruptionModeV1beta1;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
};

export type CompositePodGroupStatusV1alpha3 = {
  readonly conditions?: readonly meta.Condition[];
};

export type CompositePodGroupTemplateV1beta1 = {
  readonly name?: string;
  readonly schedulingPolicy?: CompositePodGroupSchedulingPolicyV1beta1;
  readonly schedulingConstraints?: CompositePodGroupSchedulingConstraintsV1beta1;
  readonly disruptionMode?: CompositeDisruptionModeV1beta1;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
  readonly podGroupTemplates?: readonly PodGroupTemplateV1beta1[];
  readonly compositePodGroupTemplates?: readonly CompositePodGroupTemplateV1beta1[];
};

export type CompositePodGroupV1alpha3 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CompositePodGroupSpecV1alpha3;
  readonly status?: CompositePodGroupStatusV1alpha3;
};

export type DisruptionModeV1beta1 = {
  readonly single?: SingleDisruptionModeV1beta1;
  readonly all?: AllDisruptionModeV1beta1;
};

export type GangSchedulingPolicyV1beta1 = {
  readonly minCount?: number;
};

export type PodGroupPolicyV1alpha1 = {
  readonly basic?: BasicSchedulingPolicyV1beta1;
  readonly gang?: GangSchedulingPolicyV1beta1;
};

export type PodGroupResourceClaimStatusV1beta1 = {
  readonly name?: string;
  readonly resourceClaimName?: string;
};

export type PodGroupResourceClaimV1beta1 = {
  readonly name?: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
};

export type PodGroupSchedulingConstraintsV1beta1 = {
  readonly topology?: readonly TopologyConstraintV1alpha3[];
};

export type PodGroupSchedulingPolicyV1alpha2 = {
  readonly basic?: BasicSchedulingPolicyV1beta1;
  readonly gang?: GangSchedulingPolicyV1beta1;
};

export type PodGroupSchedulingPolicyV1beta1 = {
  readonly basic?: BasicSchedulingPolicyV1beta1;
  readonly gang?: GangSchedulingPolicyV1beta1;
};

export type PodGroupSpecV1alpha2 = {
  readonly podGroupTemplateRef?: PodGroupTemplateReferenceV1alpha2 | null;
  readonly schedulingPolicy?: PodGroupSchedulingPolicyV1alpha2;
  readonly schedulingConstraints?: PodGroupSchedulingConstraintsV1beta1;
  readonly resourceClaims?: readonly PodGroupResourceClaimV1beta1[];
  readonly disruptionMode?: string;
  readonly priorityClassName?: string;
  readonly priority?: number;
};

export type PodGroupSpecV1beta1 = {
  readonly parentCompositePodGroupName?: string;
  readonly workloadRef?: WorkloadReferenceV1beta1;
  readonly schedulingPolicy?: PodGroupSchedulingPolicyV1beta1;
  readonly schedulingConstraints?: PodGroupSchedulingConstraintsV1beta1;
  readonly resourceClaims?: readonly PodGroupResourceClaimV1beta1[];
  readonly disruptionMode?: DisruptionModeV1beta1;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
};

export type PodGroupStatusV1beta1 = {
  readonly conditions?: readonly meta.Condition[];
  readonly resourceClaimStatuses?: readonly PodGroupResourceClaimStatusV1beta1[];
};

export type PodGroupTemplateReferenceV1alpha2 = {
  readonly workload?: WorkloadPodGroupTemplateReferenceV1alpha2 | null;
};

export type PodGroupTemplateV1alpha2 = {
  readonly name?: string;
  readonly schedulingPolicy?: PodGroupSchedulingPolicyV1alpha2;
  readonly schedulingConstraints?: PodGroupSchedulingConstraintsV1beta1 | null;
  readonly resourceClaims?: readonly PodGroupResourceClaimV1beta1[];
  readonly disruptionMode?: string;
  readonly priorityClassName?: string;
  readonly priority?: number;
};

export type PodGroupTemplateV1beta1 = {
  readonly name?: string;
  readonly schedulingPolicy?: PodGroupSchedulingPolicyV1beta1;
  readonly schedulingConstraints?: PodGroupSchedulingConstraintsV1beta1 | null;
  readonly resourceClaims?: readonly PodGroupResourceClaimV1beta1[];
  readonly disruptionMode?: DisruptionModeV1beta1;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
};

export type PodGroupV1alpha1 = {
  readonly name?: string;
  readonly policy?: PodGroupPolicyV1alpha1;
};

export type PodGroupV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodGroupSpecV1alpha2;
  readonly status?: PodGroupStatusV1beta1;
};

export type PodGroupV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodGroupSpecV1beta1;
  readonly status?: PodGroupStatusV1beta1;
};

export type PriorityClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly description?: string;
  readonly preemptionPolicy?: string;
};

export type SingleCompositeDisruptionModeV1beta1 = Record<string, never>;

export type SingleDisruptionModeV1beta1 = Record<string, never>;

export type TopologyConstraintV1alpha3 = {
  readonly key?: string;
};

export type TypedLocalObjectReferenceV1beta1 = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
};

export type WorkloadPodGroupAllDisruptionModeV1alpha3 = Record<string, never>;

export type WorkloadPodGroupBasicSchedulingPolicyV1alpha3 = Record<string, never>;

export type WorkloadPodGroupDisruptionModeV1alpha3 = {
  readonly single?: WorkloadPodGroupSingleDisruptionModeV1alpha3;
  readonly all?: WorkloadPodGroupAllDisruptionModeV1alpha3;
};

export type WorkloadPodGroupGangSchedulingPolicyV1alpha3 = {
  readonly minCount?: number;
};

export type WorkloadPodGroupResourceClaimV1alpha3 = {
  readonly name?: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
};

export type WorkloadPodGroupSchedulingConstraintsV1alpha3 = {
  readonly topology?: readonly TopologyConstraintV1alpha3[];
};

export type WorkloadPodGroupSchedulingPolicyV1alpha3 = {
  readonly basic?: WorkloadPodGroupBasicSchedulingPolicyV1alpha3;
  readonly gang?: WorkloadPodGroupGangSchedulingPolicyV1alpha3;
};

export type WorkloadPodGroupSingleDisruptionModeV1alpha3 = Record<string, never>;

export type WorkloadPodGroupTemplateReferenceV1alpha2 = {
  readonly workloadName?: string;
  readonly podGroupTemplateName?: string;
};

export type WorkloadReferenceV1beta1 = {
  readonly workloadName?: string;
  readonly templateName?: string;
};

export type WorkloadSpecV1alpha1 = {
  readonly controllerRef?: TypedLocalObjectReferenceV1beta1;
  readonly podGroups?: readonly PodGroupV1alpha1[] | null;
};

export type WorkloadSpecV1alpha2 = {
  readonly controllerRef?: TypedLocalObjectReferenceV1beta1;
  readonly podGroupTemplates?: readonly PodGroupTemplateV1alpha2[] | null;
};

export type WorkloadSpecV1beta1 = {
  readonly controllerRef?: TypedLocalObjectReferenceV1beta1;
  readonly podGroupTemplates?: readonly PodGroupTemplateV1beta1[] | null;
  readonly compositePodGroupTemplates?: readonly CompositePodGroupTemplateV1beta1[];
};

export type WorkloadV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: WorkloadSpecV1alpha1;
};

export type WorkloadV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: WorkloadSpecV1alpha2;
};

export type WorkloadV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: WorkloadSpecV1beta1;
};
