/** A key of the store and the revision of its last write. */
export interface GuardedKey {
  readonly key: string;
  readonly revision: number;
}

/**
 * Makes the creation of objects depend on the custom resource definition that declares their resource. A creation commits
 * only while the guarded key is at the revision that this replica has observed, so that a replica that has not yet
 * observed the deletion of the definition creates no objects.
 */
export interface CreationGuard {
  /** The key on which creations depend. Throws the error of the response when nothing may be created. */
  current(): GuardedKey;
  /** Resolves when this replica has observed every change that was made before the call. */
  renew(signal: AbortSignal): Promise<void>;
}
