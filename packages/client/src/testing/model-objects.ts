import { type ApiObject, errors, type Subject } from '@orch/machinery';
import { cloneJson, deepFreeze } from '@orch/machinery/json';

/** The place of an object: the resource (`apps/deployments`, `/pods`), its namespace if any, and its name. */
export interface ObjectPlace {
  readonly collection: string;
  readonly namespace: string;
  readonly name: string;
}

/** A change of an object in an in-memory server. */
export interface ModelChange {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly place: ObjectPlace;
  readonly object: ApiObject;
  readonly old: ApiObject | undefined;
}

const keyOf = ({ collection, namespace, name }: ObjectPlace): string =>
  `${collection}\0${namespace}\0${name}`;

const subjectOf = ({ collection, name }: ObjectPlace): Subject => {
  const [group = '', kind = ''] = collection.split('/');
  return { group, kind, name };
};

/**
 * Objects with one revision per change and the history of all changes, as in the store of a server: a list at a revision
 * is the result of the changes up to it.
 */
export class ModelObjects {
  /** Every change in order; the first one has revision 2, because an empty server has a revision as well. */
  readonly changes: ModelChange[] = [];
  readonly #objects = new Map<string, { readonly place: ObjectPlace; readonly object: ApiObject }>();
  readonly #listeners = new Set<(change: ModelChange) => void>();
  #compactedThrough = 0;
  #uids = 0;

  get revision(): number {
    return this.changes.length + 1;
  }

  /** The changes after a revision. */
  after(revision: number): readonly ModelChange[] {
    return this.changes.slice(revision - 1);
  }

  /** Revisions up to this one are compacted. */
  get compactedThrough(): number {
    return this.#compactedThrough;
  }

  compact(through = this.revision): void {
    this.#compactedThrough = Math.max(this.#compactedThrough, through);
  }

  onChange(listener: (change: ModelChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get(place: ObjectPlace): ApiObject {
    const found = this.#objects.get(keyOf(place));
    if (found === undefined) throw errors.notFound(subjectOf(place));
    return found.object;
  }

  /** The objects of a collection by namespace and name, as of a revision. */
  list(collection: string, revision = this.revision): { place: ObjectPlace; object: ApiObject }[] {
    const all =
      revision === this.revision
        ? [...this.#objects.values()].filter(({ place }) => place.collection === collection)
        : this.#listAt(collection, revision);
    const order = ({ namespace, name }: ObjectPlace): string => `${namespace}\0${name}`;
    return all.sort((a, b) => (order(a.place) < order(b.place) ? -1 : 1));
  }

  #listAt(collection: string, revision: number): { place: ObjectPlace; object: ApiObject }[] {
    const found = new Map<string, { place: ObjectPlace; object: ApiObject }>();
    for (const { type, place, object } of this.changes.slice(0, revision - 1)) {
      if (place.collection !== collection) continue;
      if (type === 'DELETED') found.delete(keyOf(place));
      else found.set(keyOf(place), { place, object });
    }
    return [...found.values()];
  }

  create(place: ObjectPlace, object: ApiObject, now: string): ApiObject {
    if (this.#objects.has(keyOf(place))) throw errors.alreadyExists(subjectOf(place));
    const uid = `00000000-0000-4000-8000-${String(++this.#uids).padStart(12, '0')}`;
    const { resourceVersion: _, ...metadata } = object.metadata;
    return this.#put(place, { ...object, metadata: { ...metadata, uid, creationTimestamp: now } });
  }

  /** Compares uid and resourceVersion when the object has them. An unchanged object is not written. */
  update(place: ObjectPlace, next: ApiObject): ApiObject {
    const old = this.get(place);
    this.#compare(place, old, next.metadata);
    const { uid, creationTimestamp, deletionTimestamp } = old.metadata;
    const metadata = {
      ...next.metadata,
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    };
    const object = { ...next, metadata };
    const isHeld = (metadata.finalizers ?? []).length > 0;
    return deletionTimestamp && !isHeld ? this.#remove(place, old, object) : this.#put(place, object);
  }

  /** Removes an object, or marks it while it has finalizers. */
  delete(
    place: ObjectPlace,
    preconditions: { uid?: string; resourceVersion?: string },
    now: string,
  ): ApiObject {
    const old = this.get(place);
    this.#compare(place, old, preconditions);
    if ((old.metadata.finalizers ?? []).length === 0) return this.#remove(place, old);
    if (old.metadata.deletionTimestamp) return old;
    return this.#put(place, { ...old, metadata: { ...old.metadata, deletionTimestamp: now } });
  }

  #compare(place: ObjectPlace, old: ApiObject, wanted: { uid?: string; resourceVersion?: string }): void {
    const { uid, resourceVersion } = wanted;
    const isOther =
      (uid !== undefined && uid !== old.metadata.uid) ||
      (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion);
    if (isOther) throw errors.conflict(subjectOf(place), 'the object has been modified');
  }

  #put(place: ObjectPlace, object: ApiObject): ApiObject {
    const old = this.#objects.get(keyOf(place))?.object;
    const stored = this.#stamped(place, object);
    this.#objects.set(keyOf(place), { place, object: stored });
    this.#notify({ type: old === undefined ? 'ADDED' : 'MODIFIED', place, object: stored, old });
    return stored;
  }

  #remove(place: ObjectPlace, old: ApiObject, final = old): ApiObject {
    this.#objects.delete(keyOf(place));
    const last = this.#stamped(place, final);
    this.#notify({ type: 'DELETED', place, object: last, old });
    return last;
  }

  #stamped(place: ObjectPlace, object: ApiObject): ApiObject {
    const { name, namespace } = place;
    const resourceVersion = String(this.revision + 1);
    const metadata = {
      ...object.metadata,
      name,
      ...(namespace === '' ? {} : { namespace }),
      resourceVersion,
    };
    return deepFreeze(cloneJson({ ...object, metadata }));
  }

  #notify(change: Omit<ModelChange, 'revision'>): void {
    const numbered = { ...change, revision: this.revision + 1 };
    this.changes.push(numbered);
    for (const listener of [...this.#listeners]) listener(numbered);
  }
}
