// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';
import type * as meta from './meta.ts';

export type EvictionPodReferenceV1alpha1 = {
  readonly name?: string;
  readonly uid?: string;
};

export type EvictionRequestPodReferenceV1alpha1 = {
  readonly name?: string;
  readonly uid?: string;
};

export type EvictionRequestSpecV1alpha1 = {
  readonly target?: EvictionRequestTargetV1alpha1;
  readonly requester?: string;
  readonly intent?: string;
};

export type EvictionRequestStatusV1alpha1 = {
  readonly conditions?: readonly meta.Condition[];
  readonly observedGeneration?: number | ExactNumber;
};

export type EvictionRequestTargetV1alpha1 = {
  readonly pod?: EvictionRequestPodReferenceV1alpha1;
};

export type EvictionRequestV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: EvictionRequestSpecV1alpha1;
  readonly status?: EvictionRequestStatusV1alpha1;
};

export type EvictionSpecV1alpha1 = {
  readonly target?: EvictionTargetV1alpha1;
};

export type EvictionStatusV1alpha1 = {
  readonly conditions?: readonly meta.Condition[];
  readonly observedGeneration?: number | ExactNumber;
  readonly requesters?: readonly RequesterV1alpha1[];
  readonly targetResponders?: readonly TargetResponderV1alpha1[];
  readonly responders?: readonly ResponderStatusV1alpha1[];
};

export type EvictionTargetV1alpha1 = {
  readonly pod?: EvictionPodReferenceV1alpha1;
};

export type EvictionV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: EvictionSpecV1alpha1;
  readonly status?: EvictionStatusV1alpha1;
};

export type RequesterV1alpha1 = {
  readonly name?: string;
  readonly intent?: string;
};

export type ResponderStatusV1alpha1 = {
  readonly name?: string;
  readonly startTime?: string;
  readonly heartbeatTime?: string;
  readonly expectedCompletionTime?: string;
  readonly completionTime?: string;
  readonly message?: string;
};

export type TargetResponderV1alpha1 = {
  readonly name?: string;
  readonly priority?: number;
  readonly state?: string;
};
