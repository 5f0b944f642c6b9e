import { type ObjectMeta, type OwnerReference, parseApiVersion } from '@orch/machinery';

/**
 * An owner reference with the namespace of its dependent. The owner is the object with this identity in the namespace of
 * the dependent, or a cluster-scoped object. A reference is not proof that its owner exists.
 */
export interface OwnerRef {
  /** Equal for references to the same owner. */
  readonly key: string;
  readonly uid: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Namespace of the dependent; empty for cluster-scoped objects. */
  readonly namespace: string;
}

/** A character that none of the joined fields can contain. */
const SEPARATOR = '\n';

/**
 * All fields of the reference are part of its key: the absence of an owner at wrong coordinates must never count as the
 * absence of the actual owner.
 */
export function ownerRefOf(owner: OwnerReference, namespace: string): OwnerRef {
  const { uid, apiVersion, kind, name } = owner;
  const group = parseApiVersion(apiVersion)?.group ?? apiVersion;
  const key = [uid, group, kind, namespace, name].join(SEPARATOR);
  return { key, uid, apiVersion, kind, name, namespace };
}

export const ownerRefsOf = (meta: ObjectMeta): readonly OwnerRef[] =>
  (meta.ownerReferences ?? []).map((owner) => ownerRefOf(owner, meta.namespace ?? ''));

/** The identity of an observed object, for comparison with references. */
export interface ObservedObject {
  readonly kind: string;
  readonly meta: ObjectMeta;
}

/**
 * Reports whether the reference is to this object. Groups are not compared: an object can be served in several groups, with the
 * same uid in all of them.
 */
export const refersTo = (ref: OwnerRef, { kind, meta }: ObservedObject): boolean =>
  ref.uid === meta.uid &&
  ref.kind === kind &&
  ref.name === meta.name &&
  ((meta.namespace ?? '') === '' || meta.namespace === ref.namespace);
