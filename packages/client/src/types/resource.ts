// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';

/** What was allocated, and where it can be used. */
export interface AllocationResultV1alpha1 {
  /** What the driver on the node needs to know. */
  resourceHandle?: string;
  /** Nodes on which it can be used; all when absent. */
  availableOnNodes?: core.NodeSelector;
  /** Whether several may use it at the same time. */
  shareable?: boolean;
}

/** What was allocated, and where it can be used. */
export interface AllocationResultV1alpha2 {
  /** What the drivers on the nodes need to know, one entry for each driver. */
  resourceHandles?: ResourceHandleV1alpha2[];
  /** Nodes on which it can be used; all when absent. */
  availableOnNodes?: core.NodeSelector;
  /** Whether several may use it at the same time. */
  shareable?: boolean;
}

/** Where the scheduler would like to put the pod. */
export interface PodSchedulingContextSpecV1alpha2 {
  /** Node for which claims are allocated; it may change until they are. */
  selectedNode?: string;
  /** Nodes that would do. */
  potentialNodes?: string[];
}

/** What drivers say about the nodes. */
export interface PodSchedulingContextStatusV1alpha2 {
  /** An entry for each claim of the pod that is met late. */
  resourceClaims?: ResourceClaimSchedulingStatusV1alpha2[];
}

/** Where the scheduler and the drivers of resources agree on a node for a pod of the same name. */
export type PodSchedulingContextV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** Where the pod might run. */
  spec: PodSchedulingContextSpecV1alpha2;
  /** Where it cannot. */
  status?: PodSchedulingContextStatusV1alpha2;
};

/** Where the scheduler would like to put the pod. */
export interface PodSchedulingSpecV1alpha1 {
  /** Node for which claims are allocated; it may change until they are. */
  selectedNode?: string;
  /** Nodes that would do. */
  potentialNodes?: string[];
}

/** What drivers say about the nodes. */
export interface PodSchedulingStatusV1alpha1 {
  /** An entry for each claim of the pod that is met late. */
  resourceClaims?: ResourceClaimSchedulingStatusV1alpha1[];
}

/** Where the scheduler and the drivers of resources agree on a node for a pod of the same name. */
export type PodSchedulingV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** Where the pod might run. */
  spec: PodSchedulingSpecV1alpha1;
  /** Where it cannot. */
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

/** Where one claim of the pod cannot be met. */
export interface ResourceClaimSchedulingStatusV1alpha1 {
  /** Name that the pod has for the claim. */
  name?: string;
  /** Nodes for which the claim cannot be met, out of those that were asked about. */
  unsuitableNodes?: string[];
}

/** Where one claim of the pod cannot be met. */
export interface ResourceClaimSchedulingStatusV1alpha2 {
  /** Name that the pod has for the claim. */
  name?: string;
  /** Nodes for which the claim cannot be met, out of those that were asked about. */
  unsuitableNodes?: string[];
}

/** Which resource is claimed, and when it is allocated. It cannot change later. */
export interface ResourceClaimSpecV1alpha2 {
  /** Class of the resource. */
  resourceClassName: string;
  /** Object with what the driver needs to know. */
  parametersRef?: ResourceClaimParametersReferenceV1alpha2;
  /** Immediate, or WaitForFirstConsumer, when a pod needs it. */
  allocationMode?: string;
}

/** Whether a claim was met, and who uses it. */
export interface ResourceClaimStatusV1alpha1 {
  /** Driver that met the claim. */
  driverName?: string;
  /** What was allocated; absent while nothing is. It cannot change until it is given back. */
  allocation?: AllocationResultV1alpha1;
  /** Consumers that may use it now, usually a pod. No further consumer may be added while a deallocation is requested. */
  reservedFor?: ResourceClaimConsumerReferenceV1alpha2[];
  /** Asks the driver to give the allocation back, and keeps others from using it. */
  deallocationRequested?: boolean;
}

/** Whether a claim was met, and who uses it. */
export interface ResourceClaimStatusV1alpha2 {
  /** Driver that met the claim. */
  driverName?: string;
  /** What was allocated; absent while nothing is. It cannot change until it is given back. */
  allocation?: AllocationResultV1alpha2;
  /** Consumers that may use it now, usually a pod. No further consumer may be added while a deallocation is requested. */
  reservedFor?: ResourceClaimConsumerReferenceV1alpha2[];
  /** Asks the driver to give the allocation back, and keeps others from using it. */
  deallocationRequested?: boolean;
}

/** What the claims look like. */
export interface ResourceClaimTemplateSpecV1alpha2 {
  /** Labels and annotations of the claims; nothing else counts. */
  metadata?: ObjectMeta;
  /** What the claims ask for. */
  spec: ResourceClaimSpecV1alpha2;
}

/** What claims are made from, one for each pod that refers to it. */
export type ResourceClaimTemplateV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The template. It cannot change later. */
  spec: ResourceClaimTemplateSpecV1alpha2;
};

/** A claim of one user on a resource, which lives as long as the user needs it. */
export type ResourceClaimV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec: ResourceClaimSpecV1alpha2;
  /** What was observed last; written by the system, never by the owner. */
  status?: ResourceClaimStatusV1alpha1;
};

/** A claim of one user on a resource, which lives as long as the user needs it. */
export type ResourceClaimV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec: ResourceClaimSpecV1alpha2;
  /** What was observed last; written by the system, never by the owner. */
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
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** Driver that provides it, a domain name. */
  driverName: string;
  /** Object with what the driver needs to know. */
  parametersRef?: ResourceClassParametersReferenceV1alpha2;
  /** Nodes on which it can be used; all when absent. */
  suitableNodes?: core.NodeSelector;
};

/** What a driver on a node needs to know about an allocation. */
export interface ResourceHandleV1alpha2 {
  /** Driver that the data is for. */
  driverName?: string;
  /** Whatever the driver wants to know. */
  data?: string;
}
