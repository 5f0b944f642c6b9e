import { type CachedObject, type ResourceCache, storePages } from '@orch/cache';
import type { Draft } from '@orch/kinds/draft';
import { ApiError, type ApiObject, messageOf, type Names } from '@orch/machinery';
import { cloneJson, type JsonObject, parseJson } from '@orch/machinery/json';
import type { UserInfo } from '@orch/request';
import { fieldPicker, withResourceVersion } from '@orch/schema';
import {
  type Committed,
  type KeyValue,
  prefixRange,
  type Revision,
  readable,
  StoreError,
} from '@orch/storage';
import { commitObject } from '../commit/object-committer.ts';
import type { WritePath } from '../context/paths.ts';
import { ownersAtOnce, setOwners, type Writer } from '../convert/ownership.ts';
import { defaultDeleteOptions } from '../request/delete-options.ts';
import { type LabelledIn, labelledObjects } from '../resource/labelled-objects.ts';
import type { ObjectWrite, ReplacedState } from '../resource/object-committer.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';
import { UnreadableObjectError } from '../resource/unreadable-object-error.ts';
import type { Changed } from '../write/change.ts';
import { changeObject } from '../write/change-object.ts';
import { createObject } from '../write/create-object.ts';
import { deleteObject } from '../write/delete-object.ts';
import { storedMeta } from '../write/rules/object-meta.ts';
import { changeTo, ownersBy } from '../write/update-object.ts';
import { cachedObjects } from './followed-objects.ts';

/** Names an object; `namespace` is empty for cluster-scoped resources. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** A stored object in the hub version. */
export interface StoredObject<T = ApiObject> {
  readonly object: T;
  readonly revision: Revision;
}

/**
 * The result of a conditional write. `conflict`: another write was faster; `current` is absent when the object is. `unknown`:
 * it could not be established whether the write took effect.
 */
export type ReplacedObject<T = ApiObject> =
  | { readonly outcome: 'replaced'; readonly revision: Revision }
  | { readonly outcome: 'conflict'; readonly current: StoredObject<T> | undefined }
  | { readonly outcome: 'unknown' };

/** The result of a commit; undefined when its outcome is unknown. */
async function whenKnown(committing: Promise<Committed>): Promise<Committed | undefined> {
  try {
    return await committing;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'outcomeUnknown') return undefined;
    throw error;
  }
}

/** Number of bytes that are read from the store at once. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** The user of writes by the server itself. */
const serverUser = (names: Names): UserInfo => ({
  name: names.users.apiserver,
  uid: '',
  groups: [names.userGroups.masters],
  extra: {},
});

/**
 * The objects of one resource for other parts of the server, in the hub version. Writes are defaulted and validated
 * like those of clients, without admission; `read`, `readEach` and `readAll` read the store and need no loaded cache.
 */
export class InternalResource<T extends ApiObject = ApiObject> {
  readonly #path: WritePath;
  readonly #resource: StoredResource;

  constructor(path: WritePath, resource: StoredResource) {
    this.#path = path;
    this.#resource = resource;
  }

  get cache(): ResourceCache {
    return this.#resource.cache;
  }

  /** `kind` and `apiVersion` of the hub version. */
  get typeMeta(): { readonly kind: string; readonly apiVersion: string } {
    const { type } = this.#resource;
    const version = type.versions[0]?.version ?? 'v1';
    return { kind: type.kind, apiVersion: this.#path.names.apiVersion(type.group, version) };
  }

  /** The key of an object in the store. */
  storeKeyOf(name: ObjectName): string {
    return this.#resource.keyPrefix + this.#keyOf(name);
  }

  /** The cached object; undefined when it does not exist or cannot be read. */
  cached(name: ObjectName): T | undefined {
    return this.cachedState(name)?.object;
  }

  /** The cached object with its revision; undefined when it does not exist or cannot be read. */
  cachedState(name: ObjectName): StoredObject<T> | undefined {
    const found = this.#resource.cache.get(this.#keyOf(name));
    if (found === undefined || found.corrupt) return undefined;
    return { object: parseJson(found.json()) as T, revision: found.rev };
  }

  /** The readable cached objects of a namespace with a label; none before the first load. */
  cachedLabelled(labelled: LabelledIn): readonly CachedObject[] {
    return labelledObjects(this.cache, labelled);
  }

  /** The keys of all cached objects; undefined before the first load. */
  cachedKeys(): readonly string[] | undefined {
    return cachedObjects(this)?.map(({ key }) => key);
  }

  /** Reports whether the cache holds the object, readable or not. */
  isCached(name: ObjectName): boolean {
    return this.#resource.cache.get(this.#keyOf(name)) !== undefined;
  }

  /** The stored object; undefined when it does not exist. Rejects with an `ApiError` that names an object which cannot be read. */
  async read(name: ObjectName, signal: AbortSignal): Promise<StoredObject<T> | undefined> {
    const { kv } = await this.#path.store.get(this.storeKeyOf(name), signal);
    return kv === undefined ? undefined : this.#stateOf(name, kv);
  }

  #stateOf(name: ObjectName, kv: KeyValue): StoredObject<T> {
    const object = this.#readable(name, () => this.#decode(readable(kv).value));
    return { object, revision: kv.modRevision };
  }

  /**
   * As `read`, decoding only the fields at the given paths (`metadata.uid`), except for kinds that are decoded as a
   * whole.
   */
  async readFields(
    name: ObjectName,
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const { kv } = await this.#path.store.get(this.storeKeyOf(name), signal);
    if (kv === undefined) return undefined;
    const pick = fieldPicker(paths);
    return this.#readable(name, () => {
      const { json, object } = this.#resource.storageCodec.read(readable(kv).value);
      return object ?? pick(json);
    });
  }

  #readable<Value>({ name }: ObjectName, read: () => Value): Value {
    try {
      return read();
    } catch (cause) {
      const what = `the stored object ${name} of ${this.#resource.type.resource}`;
      throw new UnreadableObjectError(`${what} cannot be read: ${messageOf(cause)}`, cause);
    }
  }

  /** All stored objects by key; an object that cannot be read has empty metadata and nothing else. */
  async readAll(signal: AbortSignal): Promise<ReadonlyMap<string, StoredObject<T>>> {
    const found = new Map<string, StoredObject<T>>();
    for await (const [key, stored] of this.readEach(signal)) found.set(key, stored);
    return found;
  }

  /** As `readAll`, one object after another: each is decoded when it is requested, and none is kept. */
  async *readEach(signal: AbortSignal): AsyncGenerator<readonly [key: string, stored: StoredObject<T>]> {
    const { keyPrefix } = this.#resource;
    const pages = storePages(this.#path.store, prefixRange(keyPrefix), { byteBudget: PAGE_BYTES }, signal);
    for await (const { items } of pages) {
      for (const kv of items)
        yield [kv.key.slice(keyPrefix.length), { object: this.#decodeOrEmpty(kv), revision: kv.modRevision }];
    }
  }

  /** The object as it would be stored: with the defaults of the release. */
  defaulted(object: ApiObject, name: string): ApiObject {
    return this.#resource.converter.toHub(this.#served(object, name));
  }

  /**
   * Creates an object, whose fields the writer owns, or the server itself without one. False when it exists already: another
   * replica may have been faster.
   */
  async create(
    { namespace, name }: ObjectName,
    object: T,
    signal: AbortSignal,
    options: { readonly status?: Readonly<Record<string, unknown>>; readonly writer?: Writer } = {},
  ): Promise<boolean> {
    const user = serverUser(this.#path.names);
    const place = { namespace, user, dryRun: false, signal, ...options };
    try {
      await createObject(this.#path, this.#resource, this.#served(object, name), place);
      return true;
    } catch (cause) {
      if (cause instanceof ApiError && cause.status.reason === 'AlreadyExists') return false;
      throw cause;
    }
  }

  /**
   * Changes an object in place, again after a lost race; undefined when it does not exist. The fields that change belong to the
   * writer; without one their owners stay as they are.
   */
  change(
    name: ObjectName,
    change: (object: Draft<T>) => void,
    signal: AbortSignal,
    writer?: Writer,
  ): Promise<Changed | undefined> {
    const path = this.#path;
    const resource = this.#resource;
    const owners = writer === undefined ? undefined : ownersBy(path, resource, writer);
    return changeObject(path, resource, {
      key: this.#keyOf(name),
      name: name.name,
      user: serverUser(path.names),
      admittedAs: 'nothing',
      dryRun: false,
      signal,
      decide(current) {
        const { object } = current;
        const old = owners === undefined ? undefined : cloneJson(object);
        change(object as Draft<T>);
        if (owners !== undefined && old !== undefined)
          setOwners(object.metadata, ownersAtOnce(owners(object, old, current.isLarge)));
        return changeTo(path, resource, object, current);
      },
    });
  }

  /** Changes the object when it exists, else creates it. */
  async ensure(
    name: ObjectName,
    { fresh, change }: { readonly fresh: T; readonly change: (object: Draft<T>) => void },
    signal: AbortSignal,
  ): Promise<void> {
    if ((await this.change(name, change, signal)) !== undefined) return;
    if (await this.create(name, fresh, signal)) return;
    await this.change(name, change, signal);
  }

  /**
   * Replaces an object that still has a revision, as it is: it must be valid and in the order of its fields. `isCharge`: admission
   * has changed the usage of a quota by amounts of writes.
   */
  async replace(
    name: ObjectName,
    { object, revision: expected, isCharge }: StoredObject<T> & Pick<ObjectWrite, 'isCharge'>,
    signal: AbortSignal,
  ): Promise<ReplacedObject<T>> {
    const next = this.#resource.storageCodec.encode({ ...object, metadata: storedMeta(object.metadata) });
    const committed = await whenKnown(
      this.#commitAt(name, { expected, next, ...(isCharge === true ? { isCharge } : {}) }, signal),
    );
    if (committed === undefined) return { outcome: 'unknown' };
    if (committed.ok) return { outcome: 'replaced', revision: committed.rev };
    const { current } = committed;
    return {
      outcome: 'conflict',
      current: current === undefined ? undefined : this.#stateOf(name, current),
    };
  }

  /** Removes an object from the store at a revision, without finalizers; does nothing when it has another revision. */
  async removeAt(name: ObjectName, expected: Revision, signal: AbortSignal): Promise<void> {
    await this.#commitAt(name, { expected, next: undefined }, signal);
  }

  /** Deletes an object as a client would. */
  async delete(name: ObjectName, signal: AbortSignal): Promise<void> {
    await deleteObject(this.#path, this.#resource, {
      key: this.#keyOf(name),
      name: name.name,
      options: defaultDeleteOptions,
      user: serverUser(this.#path.names),
      signal,
    });
  }

  /** Replaces or removes the object at a revision. */
  async #commitAt(
    name: ObjectName,
    write: Pick<ObjectWrite, 'next' | 'isCharge'> & { readonly expected: Revision },
    signal: AbortSignal,
  ): Promise<Committed> {
    const { committer, names } = this.#path;
    const key = this.#keyOf(name);
    return commitObject(committer, {
      resource: this.#resource,
      key,
      name: name.name,
      ...write,
      old: await this.#stateAt(key, write.expected, signal),
      user: serverUser(names),
      signal,
      trace: undefined,
      pending: undefined,
    });
  }

  /** The state of the object at a revision, if it is the current one. Only the history requires a state that is not cached. */
  async #stateAt(key: string, rev: Revision, signal: AbortSignal): Promise<ReplacedState | undefined> {
    const { cache, keyPrefix, storageCodec } = this.#resource;
    const cached = cache.get(key);
    if (cached?.rev === rev && !cached.corrupt) return { rev, json: cached.json() };
    if (this.#path.recorder === undefined) return undefined;
    const { kv } = await this.#path.store.get(keyPrefix + key, signal);
    if (kv?.modRevision !== rev) return undefined;
    try {
      return { rev, json: withResourceVersion(storageCodec.readAsStored(readable(kv).value).json, rev) };
    } catch {
      return { rev, json: storageCodec.placeholder(key), isPlaceholder: true };
    }
  }

  #keyOf({ namespace, name }: ObjectName): string {
    return objectKey(this.#resource.type.namespaced, namespace, name);
  }

  #decode(value: Buffer): T {
    return parseJson(this.#resource.storageCodec.read(value).json) as T;
  }

  #decodeOrEmpty(kv: KeyValue): T {
    try {
      return this.#decode(readable(kv).value);
    } catch {
      const empty: ApiObject = { metadata: {} };
      return empty as T;
    }
  }

  /** The object in the served version, decoded like a client's. */
  #served(object: ApiObject, name: string): ApiObject {
    const { converter, codec } = this.#resource;
    const named = { ...object, metadata: { ...object.metadata, name } };
    return codec.decode(converter.fromHub(named), { defaults: true }).value;
  }
}
