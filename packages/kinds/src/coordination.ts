// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

export type Lease = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: LeaseSpec;
};

export type LeaseCandidateSpecV1alpha1 = {
  readonly leaseName?: string;
  readonly pingTime?: string;
  readonly renewTime?: string;
  readonly binaryVersion?: string;
  readonly emulationVersion?: string;
  readonly preferredStrategies?: readonly string[];
};

export type LeaseCandidateSpecV1beta1 = {
  readonly leaseName?: string;
  readonly pingTime?: string;
  readonly renewTime?: string;
  readonly binaryVersion?: string;
  readonly emulationVersion?: string;
  readonly strategy?: string;
};

export type LeaseCandidateV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: LeaseCandidateSpecV1alpha1;
};

export type LeaseCandidateV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: LeaseCandidateSpecV1beta1;
};

export type LeaseSpec = {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
  readonly strategy?: string;
  readonly preferredHolder?: string;
};
