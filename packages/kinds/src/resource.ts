// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';

export type AllocationResultV1alpha1 = {
  readonly resourceHandle?: string;
  readonly availableOnNodes?: core.NodeSelector;
  readonly shareable?: boolean;
};

export type AllocationResultV1alpha2 = {
  readonly resourceHandles?: readonly ResourceHandleV1alpha2[];
  readonly availableOnNodes?: core.NodeSelector;
  readonly shareable?: boolean;
};

export type PodSchedulingContextSpecV1alpha2 = {
  readonly selectedNode?: string;
  readonly potentialNodes?: readonly string[];
};

export type PodSchedulingContextStatusV1alpha2 = {
  readonly resourceClaims?: readonly ResourceClaimSchedulingStatusV1alpha2[];
};

export type PodSchedulingContextV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodSchedulingContextSpecV1alpha2;
  readonly status?: PodSchedulingContextStatusV1alpha2;
};

export type PodSchedulingSpecV1alpha1 = {
  readonly selectedNode?: string;
  readonly potentialNodes?: readonly string[];
};

export type PodSchedulingStatusV1alpha1 = {
  readonly resourceClaims?: readonly ResourceClaimSchedulingStatusV1alpha1[];
};

export type PodSchedulingV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodSchedulingSpecV1alpha1;
  readonly status?: PodSchedulingStatusV1alpha1;
};

export type ResourceClaimConsumerReferenceV1alpha2 = {
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly uid?: string;
};

export type ResourceClaimParametersReferenceV1alpha2 = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
};

export type ResourceClaimSchedulingStatusV1alpha1 = {
  readonly name?: string;
  readonly unsuitableNodes?: readonly string[];
};

export type ResourceClaimSchedulingStatusV1alpha2 = {
  readonly name?: string;
  readonly unsuitableNodes?: readonly string[];
};

export type ResourceClaimSpecV1alpha2 = {
  readonly resourceClassName?: string;
  readonly parametersRef?: ResourceClaimParametersReferenceV1alpha2;
  readonly allocationMode?: string;
};

export type ResourceClaimStatusV1alpha1 = {
  readonly driverName?: string;
  readonly allocation?: AllocationResultV1alpha1;
  readonly reservedFor?: readonly ResourceClaimConsumerReferenceV1alpha2[];
  readonly deallocationRequested?: boolean;
};

export type ResourceClaimStatusV1alpha2 = {
  readonly driverName?: string;
  readonly allocation?: AllocationResultV1alpha2;
  readonly reservedFor?: readonly ResourceClaimConsumerReferenceV1alpha2[];
  readonly deallocationRequested?: boolean;
};

export type ResourceClaimTemplateSpecV1alpha2 = {
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourceClaimSpecV1alpha2;
};

export type ResourceClaimTemplateV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimTemplateSpecV1alpha2;
};

export type ResourceClaimV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimSpecV1alpha2;
  readonly status?: ResourceClaimStatusV1alpha1;
};

export type ResourceClaimV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimSpecV1alpha2;
  readonly status?: ResourceClaimStatusV1alpha2;
};

export type ResourceClassParametersReferenceV1alpha2 = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
};

export type ResourceClassV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly driverName?: string;
  readonly parametersRef?: ResourceClassParametersReferenceV1alpha2;
  readonly suitableNodes?: core.NodeSelector;
};

export type ResourceHandleV1alpha2 = {
  readonly driverName?: string;
  readonly data?: string;
};
