// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

/** A claim that one holder renews, used to elect leaders and to report that nodes are alive. */
export type Lease = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: LeaseSpec;
};

/** The lease that a candidate would hold, and what the candidate prefers. */
export interface LeaseCandidateSpecV1alpha1 {
  /** Lease for which it stands. */
  leaseName: string;
  /** When the candidate was last asked whether it is alive. */
  pingTime?: string;
  /** When the candidate last answered. */
  renewTime?: string;
  /** Version of its program. */
  binaryVersion?: string;
  /** Version that it emulates. */
  emulationVersion?: string;
  /** How the holder is chosen, the most preferred way first. */
  preferredStrategies?: string[];
}

/** The lease that a candidate would hold, and the versions of the candidate. */
export interface LeaseCandidateSpecV1beta1 {
  /** Lease for which it stands. */
  leaseName: string;
  /** When the candidate was last asked whether it is alive. */
  pingTime?: string;
  /** When the candidate last answered. */
  renewTime?: string;
  /** Version of its program. */
  binaryVersion: string;
  /** Version that it emulates. */
  emulationVersion?: string;
  /** How the holder is chosen, such as OldestEmulationVersion. */
  strategy: string;
}

/** A candidate of a coordinated election for a lease. */
export type LeaseCandidateV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: LeaseCandidateSpecV1alpha1;
};

/** A candidate of a coordinated election for a lease. */
export type LeaseCandidateV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: LeaseCandidateSpecV1beta1;
};

/** Who holds the lease, since when and for how long. */
export interface LeaseSpec {
  /** Who holds it now. */
  holderIdentity?: string;
  /** How long after renewTime others must wait before they may acquire the lease. */
  leaseDurationSeconds?: number;
  /** When the current holder acquired it. */
  acquireTime?: string;
  /** When the holder last renewed it. */
  renewTime?: string;
  /** Number of changes of the holder. */
  leaseTransitions?: number;
  /** How the holder is chosen in a coordinated election, such as OldestEmulationVersion. */
  strategy?: string;
  /** Candidate that should hold it next. */
  preferredHolder?: string;
}
