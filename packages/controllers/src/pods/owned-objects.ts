import {
  controllerOf,
  type Informer,
  isBeingDeleted,
  ownerReferenceTo,
  type ResourceClient,
  type Stored,
  withOwner,
  withoutOwner,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import type { LabelSelector } from '@orch/machinery/selectors';
import { ignoreReasons } from '../api/writes.ts';
import { decideClaims } from './claims.ts';
import { labelIndex, objectsSelected } from './label-index.ts';

/** When a created object was deleted before a list, no event of it comes: owners are examined again after this time. */
export const BEHIND_MS = 1000;

const INDEX = 'workload-controller';

/** One function for all controllers, which share the index of an informer. */
function byController(object: ApiObject): readonly string[] {
  const controller = controllerOf(object);
  return controller === undefined ? [] : [controller.uid];
}

const orphans = labelIndex('labels-without-controller', (object) => controllerOf(object) === undefined);

export interface OwnedObjectsOptions<T extends ApiObject, O extends ApiObject> {
  readonly informer: Informer<T>;
  readonly api: ResourceClient<T>;
  /** Of the owners. */
  readonly owners: ResourceClient<O>;
}

/**
 * The objects that owners of one kind control. It knows the writes of this process that the informer has not delivered, so that no
 * decision is based on a state before them.
 */
export class OwnedObjects<T extends ApiObject, O extends ApiObject> {
  readonly #options: OwnedObjectsOptions<T, O>;
  readonly #orphansSelected: ReturnType<typeof objectsSelected<T>>;
  /** By the uid of an owner, the version of the latest of its objects that this process has written. */
  readonly #written = new Map<string, bigint>();
  /** Uids of objects that this process has deleted and the informer still has. */
  readonly #deleted = new Set<string>();

  constructor(options: OwnedObjectsOptions<T, O>) {
    this.#options = options;
    const { informer } = options;
    informer.addIndex(INDEX, byController);
    this.#orphansSelected = objectsSelected(informer, orphans);
    informer.subscribe((change) => {
      if (change.type === 'deleted') this.#deleted.delete(change.object.metadata.uid);
    });
  }

  /** The objects that an owner controls, by uid. */
  of(uid: string): readonly Stored<T>[] {
    return this.#options.informer.store.byIndex(INDEX, uid);
  }

  /** Reports whether the informer has not delivered every write of this process to objects of an owner. */
  isBehind(uid: string): boolean {
    const version = this.#written.get(uid);
    if (version === undefined) return false;
    if (BigInt(this.#options.informer.resourceVersion || '0') < version) return true;
    this.#written.delete(uid);
    return false;
  }

  /** Reports whether an object is being deleted, as far as this process knows. */
  isEnding(object: T): boolean {
    return isBeingDeleted(object) || this.#deleted.has(object.metadata.uid ?? '');
  }

  /** Takes over and gives up objects as the selector of the owner demands. Resolves with those that it controls then. */
  async claim(owner: Stored<O>, selector: LabelSelector, signal: AbortSignal): Promise<readonly Stored<T>[]> {
    const { uid, namespace } = owner.metadata;
    const objects = [...this.of(uid), ...this.#orphansSelected(namespace, selector)];
    const claims = decideClaims(owner, selector, objects);
    for (const object of claims.release) {
      const ownerReferences = withoutOwner(object.metadata.ownerReferences, uid);
      await this.#patch(object, { ownerReferences }, signal);
    }
    if (claims.adopt.length === 0 || !(await this.#isStillThere(owner, signal))) return claims.owned;
    const adopted: Stored<T>[] = [];
    for (const object of claims.adopt) {
      const ownerReferences = withOwner(object.metadata.ownerReferences, ownerReferenceTo(owner));
      const taken = await this.#patch(object, { ownerReferences }, signal);
      if (taken !== undefined) adopted.push(taken);
    }
    return [...claims.owned, ...adopted];
  }

  async create(owner: Stored<O>, object: T, signal: AbortSignal): Promise<Stored<T>> {
    const { namespace = '' } = owner.metadata;
    return this.#wrote(owner, await this.#options.api.in(namespace).create(object, {}, signal));
  }

  /** Rejects with a conflict when the object has changed since it was read. */
  async update(owner: Stored<O>, object: Stored<T>, signal: AbortSignal): Promise<Stored<T>> {
    const { namespace = '' } = owner.metadata;
    return this.#wrote(owner, await this.#options.api.in(namespace).update(object, {}, signal));
  }

  #wrote({ metadata }: Stored<O>, object: Stored<T>): Stored<T> {
    const version = BigInt(object.metadata.resourceVersion);
    if (version > (this.#written.get(metadata.uid) ?? 0n)) this.#written.set(metadata.uid, version);
    return object;
  }

  /** Deletes this object, and no later one of its name. An object that is gone already is fine. */
  async remove(object: Stored<T>, signal: AbortSignal): Promise<void> {
    const { name, namespace = '', uid } = object.metadata;
    const options = { propagationPolicy: 'Background', preconditions: { uid } } as const;
    const api = this.#options.api.in(namespace);
    await ignoreReasons(['NotFound', 'Conflict'], () => api.delete(name, options, signal));
    if (this.#options.informer.store.byIndex(INDEX, controllerOf(object)?.uid ?? '').some(isSame(uid)))
      this.#deleted.add(uid);
  }

  /** Another owner of this name may exist by now, and one that is being deleted takes over nothing. */
  async #isStillThere({ metadata }: Stored<O>, signal: AbortSignal): Promise<boolean> {
    const owners = this.#options.owners.in(metadata.namespace ?? '');
    const live = await ignoreReasons(['NotFound'], () => owners.get(metadata.name, {}, signal));
    return live !== undefined && live.metadata.uid === metadata.uid && !isBeingDeleted(live);
  }

  async #patch(
    { metadata }: Stored<T>,
    change: Pick<ApiObject['metadata'], 'ownerReferences'>,
    signal: AbortSignal,
  ): Promise<Stored<T> | undefined> {
    const { name, namespace = '', uid, resourceVersion } = metadata;
    const patch = { metadata: { uid, resourceVersion, ...change } };
    return await ignoreReasons(['NotFound'], () =>
      this.#options.api.in(namespace).patch.merge(name, patch, {}, signal),
    );
  }
}

const isSame =
  (uid: string) =>
  ({ metadata }: ApiObject): boolean =>
    metadata.uid === uid;
