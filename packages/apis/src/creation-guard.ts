/** A key of the store and the revision of its last write. */
export interface GuardedKey {
  readonly key: string;
  readonly revision: number;
}

/**
 * Makes the creation of objects depend on what declares their resource: a definition of custom resources. A creation takes
 * effect only while the guarded key is as this replica knows it, so that no object is created by a replica that has yet to
 * learn of a deletion.
 */
export interface CreationGuard {
  /** The key on which creations depend. Throws the error of the response when nothing may be created. */
  current(): GuardedKey;
  /** Resolves when this replica knows of every change that was made before the call. */
  renew(signal: AbortSignal): Promise<void>;
}
