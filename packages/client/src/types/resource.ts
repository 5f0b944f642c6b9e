// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';

/** An allocated resource, and where it can be used. */
export interface AllocationResultV1alpha1 {
  /** Data for the driver on the node. */
  resourceHandle?: string;
  /** Nodes on which it can be used; all when absent. */
  availableOnNodes?: core.NodeSelector;
  /** Whether several may use it at the same time. */
  shareable?: boolean;
}

/** An allocated resource, and where it can be used. */
export interface AllocationResultV1alpha2 {
  /** Data for the drivers on the nodes, one entry for each driver. */
  resourceHandles?: ResourceHandleV1alpha2[];
  /** Nodes on which it can be used; all when absent. */
  availableOnNodes?: core.NodeSelector;
  /** Whether several may use it at the same time. */
  shareable?: boolean;
}

/** Nodes that the scheduler proposes for the pod. */
export interface PodSchedulingContextSpecV1alpha2 {
  /** Node for which claims are allocated; it may change until they are. */
  selectedNode?: string;
  /** Nodes that are suitable for the scheduler. */
  potentialNodes?: string[];
}

/** Reports of the drivers about the nodes. */
export interface PodSchedulingContextStatusV1alpha2 {
  /** An entry for each claim of the pod that is allocated when the pod is scheduled. */
  resourceClaims?: ResourceClaimSchedulingStatusV1alpha2[];
}

/** Used by the scheduler and the resource drivers to select a node for the pod of the same name. */
export type PodSchedulingContextV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Nodes on which the pod might run. */
  spec: PodSchedulingContextSpecV1alpha2;
  /** Nodes on which the pod cannot run. */
  status?: PodSchedulingContextStatusV1alpha2;
};

/** Nodes that the scheduler proposes for the pod. */
export interface PodSchedulingSpecV1alpha1 {
  /** Node for which claims are allocated; it may change until they are. */
  selectedNode?: string;
  /** Nodes that are suitable for the scheduler. */
  potentialNodes?: string[];
}

/** Reports of the drivers about the nodes. */
export interface PodSchedulingStatusV1alpha1 {
  /** An entry for each claim of the pod that is allocated when the pod is scheduled. */
  resourceClaims?: ResourceClaimSchedulingStatusV1alpha1[];
}

/** Used by the scheduler and the resource drivers to select a node for the pod of the same name. */
export type PodSchedulingV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Nodes on which the pod might run. */
  spec: PodSchedulingSpecV1alpha1;
  /** Nodes on which the pod cannot run. */
  status?: PodSchedulingStatusV1alpha1;
};

/** Names the object that a claim is reserved for, in the same namespace. */
export interface ResourceClaimConsumerReferenceV1alpha2 {
  /** Group of the object; empty for the core group. */
  apiGroup?: string;
  /** Resource of the object, such as pods. */
  resource: string;
  /** Name of the object. */
  name: string;
  /** Identity of the object. */
  uid: string;
}

/** Names the object with the parameters of a claim, in the same namespace. */
export interface ResourceClaimParametersReferenceV1alpha2 {
  /** Group of the object; empty for the core group. */
  apiGroup?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
}

/** Nodes for which one claim of the pod cannot be allocated. */
export interface ResourceClaimSchedulingStatusV1alpha1 {
  /** Name of the claim in the pod. */
  name?: string;
  /** Nodes of the request for which the claim cannot be allocated. */
  unsuitableNodes?: string[];
}

/** Nodes for which one claim of the pod cannot be allocated. */
export interface ResourceClaimSchedulingStatusV1alpha2 {
  /** Name of the claim in the pod. */
  name?: string;
  /** Nodes of the request for which the claim cannot be allocated. */
  unsuitableNodes?: string[];
}

/** The claimed resource, and when it is allocated. It cannot change later. */
export interface ResourceClaimSpecV1alpha2 {
  /** Class of the resource. */
  resourceClassName: string;
  /** Object with the parameters for the driver. */
  parametersRef?: ResourceClaimParametersReferenceV1alpha2;
  /** Immediate, or WaitForFirstConsumer, when a pod needs it. */
  allocationMode?: string;
}

/** Allocation of a claim, and its consumers. */
export interface ResourceClaimStatusV1alpha1 {
  /** Driver that allocated the claim. */
  driverName?: string;
  /** The allocation; absent while there is none. It cannot change until it is released. */
  allocation?: AllocationResultV1alpha1;
  /** Consumers that may use it now, usually a pod. No further consumer may be added while a deallocation is requested. */
  reservedFor?: ResourceClaimConsumerReferenceV1alpha2[];
  /** Requests that the driver releases the allocation, and prevents further consumers. */
  deallocationRequested?: boolean;
}

/** Allocation of a claim, and its consumers. */
export interface ResourceClaimStatusV1alpha2 {
  /** Driver that allocated the claim. */
  driverName?: string;
  /** The allocation; absent while there is none. It cannot change until it is released. */
  allocation?: AllocationResultV1alpha2;
  /** Consumers that may use it now, usually a pod. No further consumer may be added while a deallocation is requested. */
  reservedFor?: ResourceClaimConsumerReferenceV1alpha2[];
  /** Requests that the driver releases the allocation, and prevents further consumers. */
  deallocationRequested?: boolean;
}

/** Metadata and specification of the claims. */
export interface ResourceClaimTemplateSpecV1alpha2 {
  /** Labels and annotations of the claims; other metadata is ignored. */
  metadata?: ObjectMeta;
  /** Specification of the claims. */
  spec: ResourceClaimSpecV1alpha2;
}

/** Template of claims, one for each pod that refers to it. */
export type ResourceClaimTemplateV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The template. It cannot change later. */
  spec: ResourceClaimTemplateSpecV1alpha2;
};

/** A claim of one user on a resource, which exists as long as it is needed. */
export type ResourceClaimV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: ResourceClaimSpecV1alpha2;
  /** Most recently observed state of the object; written by the system. */
  status?: ResourceClaimStatusV1alpha1;
};

/** A claim of one user on a resource, which exists as long as it is needed. */
export type ResourceClaimV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: ResourceClaimSpecV1alpha2;
  /** Most recently observed state of the object; written by the system. */
  status?: ResourceClaimStatusV1alpha2;
};

/** Names the object with the parameters of a class. */
export interface ResourceClassParametersReferenceV1alpha2 {
  /** Group of the object; empty for the core group. */
  apiGroup?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
  /** Namespace of the object; empty for cluster-scoped kinds. */
  namespace?: string;
}

/** A kind of resource that can be claimed, and the driver that provides it. */
export type ResourceClassV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Driver that provides it, a domain name. */
  driverName: string;
  /** Object with the parameters for the driver. */
  parametersRef?: ResourceClassParametersReferenceV1alpha2;
  /** Nodes on which it can be used; all when absent. */
  suitableNodes?: core.NodeSelector;
};

/** Data about an allocation for a driver on a node. */
export interface ResourceHandleV1alpha2 {
  /** Driver that the data is for. */
  driverName?: string;
  /** Data in the format of the driver. */
  data?: string;
}
