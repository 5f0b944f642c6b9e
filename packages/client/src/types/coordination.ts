// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

/** A claim that one holder renews, used to elect leaders and to report that nodes are alive. */
export type Lease = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: LeaseSpec;
};

/** Who holds the lease, since when and for how long. */
export interface LeaseSpec {
  /** Who holds it now. */
  holderIdentity?: string;
  /** How long after renewTime others must wait before they may take the lease over. */
  leaseDurationSeconds?: number;
  /** When the present holder got it. */
  acquireTime?: string;
  /** When the holder last renewed it. */
  renewTime?: string;
  /** How often it changed hands. */
  leaseTransitions?: number;
}
