import type { ApiObject, OwnerReference } from '@orch/machinery';

/** What an owner reference says besides the owner. */
export interface OwnerReferenceOptions {
  /** Whether the owner is the controller of the dependent; an object has at most one. Default true. */
  readonly controller?: boolean;
  /** A foreground deletion of the owner waits for the dependent. Default true. */
  readonly blockOwnerDeletion?: boolean;
}

/** The reference to an owner, which must have been read from the server. */
export function ownerReferenceTo(owner: ApiObject, options: OwnerReferenceOptions = {}): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  if (apiVersion === undefined || kind === undefined || metadata.name === undefined || !metadata.uid) {
    throw new TypeError('an owner has apiVersion, kind, name and uid');
  }
  const { controller = true, blockOwnerDeletion = true } = options;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller, blockOwnerDeletion };
}

/** The controlling owner of an object. */
export const controllerOf = (object: ApiObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find((reference) => reference.controller === true);

/** Reports whether this object is among the owners, compared by uid: names can be reused. */
export const isOwnedBy = (object: ApiObject, owner: ApiObject): boolean =>
  object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;

/** Reports whether the object is controlled by this owner, compared by uid. */
export function isControlledBy(object: ApiObject, owner: ApiObject): boolean {
  const controller = controllerOf(object);
  return controller !== undefined && controller.uid === owner.metadata.uid;
}

/** The references with an additional one, which replaces the one to the same object. */
export function withOwner(
  references: readonly OwnerReference[] | undefined,
  added: OwnerReference,
): OwnerReference[] {
  const others = (references ?? []).filter(({ uid }) => uid !== added.uid);
  const taken = others.find(({ controller }) => controller === true);
  if (added.controller === true && taken !== undefined) {
    throw new TypeError(`${taken.kind} ${taken.name} looks after the object already`);
  }
  return [...others, added];
}

/** The references without the one to an object. */
export const withoutOwner = (
  references: readonly OwnerReference[] | undefined,
  uid: string,
): OwnerReference[] => (references ?? []).filter((reference) => reference.uid !== uid);
