/** A key of the store and the revision of its last write. */
export interface GuardedKey {
  readonly key: string;
  readonly revision: number;
}

/**
 * Makes writes of objects depend on the custom resource definition that declares their resource. They commit only while
 * the guarded key is at the revision that this replica has observed: a replica that has not yet observed the deletion
 * of the definition creates no objects, and one that has not yet observed another storage version stores none in the
 * former.
 */
export interface WriteGuard {
  /** The key on which writes depend. Throws the error of the response when objects may not be created, or not changed. */
  current(write: 'create' | 'update'): GuardedKey;
  /** Resolves when this replica has observed every change that was made before the call. */
  renew(signal: AbortSignal): Promise<void>;
}
