// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as meta from './meta.ts';

/** A pod in the same namespace. */
export interface EvictionPodReferenceV1alpha1 {
  /** Name of the pod. */
  name: string;
  /** Identity of the pod, a UUID. */
  uid: string;
}

/** A pod in the same namespace. */
export interface EvictionRequestPodReferenceV1alpha1 {
  /** Name of the pod. */
  name: string;
  /** Identity of the pod, a UUID. */
  uid: string;
}

/** Which object is to be evicted, and by whose wish. */
export interface EvictionRequestSpecV1alpha1 {
  /** The object to evict; it cannot change. */
  target: EvictionRequestTargetV1alpha1;
  /** Who requests the eviction, such as example.com/drainer; it cannot change. */
  requester: string;
  /** Whether the eviction is wanted (Eviction), or no longer (Withdrawn). */
  intent: 'Eviction' | 'Withdrawn' | (string & {});
}

/** The progress of the eviction. */
export interface EvictionRequestStatusV1alpha1 {
  /** TargetEvicted and Failed. */
  conditions?: KeyedList<meta.Condition, 'type'>;
  /** Generation of the object that the controller has observed. */
  observedGeneration?: Int64;
}

/** The object that is evicted. */
export interface EvictionRequestTargetV1alpha1 {
  /** A pod; groups of pods are not evicted this way. */
  pod?: EvictionRequestPodReferenceV1alpha1;
}

/** Asks for the eviction of an object, until it is withdrawn or deleted. */
export type EvictionRequestV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: EvictionRequestSpecV1alpha1;
  /** Most recently observed state of the object; written by the system. */
  status?: EvictionRequestStatusV1alpha1;
};

/** Which object is evicted. */
export interface EvictionSpecV1alpha1 {
  /** The object to evict; it cannot change. */
  target: EvictionTargetV1alpha1;
}

/** The progress of the eviction. */
export interface EvictionStatusV1alpha1 {
  /** TargetEvicted and Failed. */
  conditions?: KeyedList<meta.Condition, 'type'>;
  /** Generation of the object that the controller has observed. */
  observedGeneration?: Int64;
  /** Those who want the eviction, or have withdrawn. */
  requesters?: KeyedList<RequesterV1alpha1, 'name'>;
  /** Programs that evict the object, one after the other. */
  targetResponders?: KeyedList<TargetResponderV1alpha1, 'name'>;
  /** The progress of each of the programs. */
  responders?: KeyedList<ResponderStatusV1alpha1, 'name'>;
}

/** The object that is evicted. */
export interface EvictionTargetV1alpha1 {
  /** A pod; groups of pods are not evicted this way. */
  pod?: EvictionPodReferenceV1alpha1;
}

/** The eviction of an object that has been requested. */
export type EvictionV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: EvictionSpecV1alpha1;
  /** Most recently observed state of the object; written by the system. */
  status?: EvictionStatusV1alpha1;
};

/** One of those who have requested the eviction. */
export interface RequesterV1alpha1 {
  /** Name of the requester. */
  name: string;
  /** Whether the eviction is wanted (Eviction), or no longer (Withdrawn). */
  intent: 'Eviction' | 'Withdrawn' | (string & {});
}

/** The progress of a program, which writes it. */
export interface ResponderStatusV1alpha1 {
  /** Name of the program. */
  name: string;
  /** When its turn began; it does not change. */
  startTime?: string;
  /** When it last reported that it is at work. */
  heartbeatTime?: string;
  /** When it expects to end. */
  expectedCompletionTime?: string;
  /** When it ended; it does not change. */
  completionTime?: string;
  /** Human-readable details. */
  message?: string;
}

/** A program that is to evict the object. */
export interface TargetResponderV1alpha1 {
  /** Name of the program. */
  name: string;
  /** Order of the programs, highest first. */
  priority: number;
  /** Inactive until it is its turn, then Active, and at the end Interrupted, Canceled or Completed. */
  state: 'Active' | 'Canceled' | 'Completed' | 'Inactive' | 'Interrupted' | (string & {});
}
