import type { AdmissionPlugin } from '@orch/admission';
import type { OpenConnections } from '@orch/aggregation';
import type { WatchCache } from '@orch/cache';
import type { TransportRequest } from '@orch/client';
import type { Store } from '@orch/storage';

/** A planted defect: what replaces a part of the product in a simulation. Without members, the product is as it is. */
export interface Defect {
  /** The store of a replica. */
  store?(inner: Store): Store;
  /** The store as the operator uses it, for backups, restores and moves. */
  operator?(store: Store): Store;
  /** Called with the watch cache of each replica that starts. */
  cache?(cache: WatchCache): void;
  /** The admission plugins of a replica. */
  plugins?(plugins: readonly AdmissionPlugin[]): readonly AdmissionPlugin[];
  /** The connections of a replica to extension API servers. */
  extensions?(open: OpenConnections): OpenConnections;
  /** The request as the registry of a replica gets it. */
  request?(request: TransportRequest): TransportRequest;
  /** Replaces methods of classes for one simulation; the result undoes that. */
  plant?(): () => void;
}

export const noDefect: Defect = {};
