import { type ObjectMeta, type OwnerReference, parseApiVersion } from '@orch/machinery';

/**
 * What a reference says of an owner, seen from the place of its dependent: the owner is the object with this identity
 * in the dependent's namespace, or in none. A reference proves nothing; whether there is such an owner is looked up.
 */
export interface Claim {
  /** Equal for claims that mean the same owner. */
  readonly key: string;
  readonly uid: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Of the dependent; empty for objects of the cluster. */
  readonly namespace: string;
}

/** Members are joined by a character that none of them can have. */
const SEPARATOR = '\n';

/**
 * The claim of a reference. Everything that the reference says is part of its key: that there is no owner at wrong
 * coordinates must never be taken for the absence of the real one.
 */
export function claimOf(owner: OwnerReference, namespace: string): Claim {
  const { uid, apiVersion, kind, name } = owner;
  const group = parseApiVersion(apiVersion)?.group ?? apiVersion;
  const key = [uid, group, kind, namespace, name].join(SEPARATOR);
  return { key, uid, apiVersion, kind, name, namespace };
}

export const claimsOf = (meta: ObjectMeta): readonly Claim[] =>
  (meta.ownerReferences ?? []).map((owner) => claimOf(owner, meta.namespace ?? ''));

/** An object that was seen, as far as it matters for claims. */
export interface Seen {
  readonly kind: string;
  readonly meta: ObjectMeta;
}

/**
 * Whether the claim means this object. Groups are not compared: an object can be served by more than one, and its uid
 * is its own in all of them.
 */
export const means = (claim: Claim, { kind, meta }: Seen): boolean =>
  claim.uid === meta.uid &&
  claim.kind === kind &&
  claim.name === meta.name &&
  ((meta.namespace ?? '') === '' || meta.namespace === claim.namespace);
