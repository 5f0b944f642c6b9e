import type { ApiObject } from '@orch/machinery';

export interface QuotaName {
  readonly namespace: string;
  readonly name: string;
}

/** A quota at one revision, in the hub version. */
export interface StoredQuota {
  readonly object: ApiObject;
  readonly revision: number;
}

/**
 * The result of replacing a quota. `conflict`: another write was faster; `current` is absent when the quota is deleted.
 * `unknown`: it could not be established whether the quota was replaced.
 */
export type Replaced =
  | { readonly outcome: 'replaced'; readonly revision: number }
  | { readonly outcome: 'conflict'; readonly current: StoredQuota | undefined }
  | { readonly outcome: 'unknown' };

/** The quotas in the store, without admission. Calls reject when the store is unavailable, and nothing is written then. */
export interface QuotaStore {
  /** The latest state; undefined when the quota does not exist. */
  read(name: QuotaName, signal: AbortSignal): Promise<StoredQuota | undefined>;
  /**
   * A revision that the last write of the quota by anyone but `replace` is not after, and that no later `replace` is before:
   * amounts that `replace` has added after it are still in the usage. Undefined when it is not known.
   */
  calculatedBy(name: QuotaName, signal: AbortSignal): Promise<number | undefined>;
  /** Replaces a quota that still has the revision of `quota`, with its object, in which only the usage differs, by amounts of writes. */
  replace(name: QuotaName, quota: StoredQuota, signal: AbortSignal): Promise<Replaced>;
}
