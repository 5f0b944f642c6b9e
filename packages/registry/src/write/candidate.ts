import type { CachedObject } from '@orch/cache';
import { ApiError, messageOf } from '@orch/machinery';
import { withResourceVersion } from '@orch/schema';
import { isOutdated as hasOutdatedValue, type KeyValue, readable } from '@orch/storage';
import type { WritePath } from '../context/paths.ts';
import { ConversionNeeded, whenConverted } from '../convert/conversion-needed.ts';
import { IGNORES_READ_ERRORS } from '../request/unsafe-deletion.ts';
import { cachedObject } from '../resource/cached-object.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { UnreadableObjectError } from '../resource/unreadable-object-error.ts';
import type { Candidate, ChangeRequest } from './change.ts';

/** The states of an object that a change starts from: the cached one, which may be stale, then those of the store. */
export class Candidates {
  readonly #path: WritePath;
  readonly #resource: StoredResource;
  readonly #request: ChangeRequest;
  #latest: Candidate | undefined;

  constructor(path: WritePath, resource: StoredResource, request: ChangeRequest) {
    this.#path = path;
    this.#resource = resource;
    this.#request = request;
  }

  /**
   * Returns the cached state. A dry run, which no commit confirms, and a cache without a usable state read the store.
   * Undefined if the object does not exist.
   */
  first(): Candidate | undefined | Promise<Candidate | undefined> {
    this.#latest = this.#request.dryRun ? undefined : this.#cached();
    return this.#latest ?? this.confirmed();
  }

  /**
   * Reads the state in the store; undefined if the object does not exist. If the store still has the latest state, it is
   * not decoded again: decoding a large object holds the thread for long.
   */
  async confirmed(): Promise<Candidate | undefined> {
    const { store } = this.#path;
    const { kv } = await store.get(this.#resource.keyPrefix + this.#request.key, this.#request.signal);
    const latest = this.#latest;
    if (latest === undefined || kv?.modRevision !== latest.rev || kv.unreadable !== undefined)
      return this.read(kv);
    this.#latest = { ...latest, fromStore: true, needsMigration: needsMigration(this.#resource, kv) };
    return this.#latest;
  }

  /** The state that was read from the store. A conversion that fails makes an object unreadable. */
  async read(kv: KeyValue | undefined): Promise<Candidate | undefined> {
    const resource = this.#resource;
    const request = this.#request;
    try {
      this.#latest = await whenConverted(resource, () => candidateOf(resource, kv, request), request.signal);
    } catch (cause) {
      if (kv === undefined || request.evenUnreadable !== true || !(cause instanceof ApiError)) throw cause;
      this.#latest = placeholderOf(resource, kv, request);
    }
    return this.#latest;
  }

  #cached(): Candidate | undefined {
    const object = cachedObject(this.#resource, this.#request.key);
    return object === undefined || object.corrupt || isOutdated(this.#resource, object)
      ? undefined
      : { rev: object.rev, json: object.json(), fromStore: false, needsMigration: false };
  }
}

/** Stored in another version, and not converted in the cache: the state in the store is read and converted. */
const isOutdated = ({ type, storageCodec }: StoredResource, object: CachedObject): boolean =>
  type.objectConverter?.hasOutdated === true && !storageCodec.isCurrent(object.json());

const needsMigration = ({ storageCodec }: StoredResource, kv: KeyValue): boolean =>
  hasOutdatedValue(kv) || !storageCodec.isCurrent(readable(kv).value);

function candidateOf(
  resource: StoredResource,
  kv: KeyValue | undefined,
  request: ChangeRequest,
): Candidate | undefined {
  if (kv === undefined) return undefined;
  const { modRevision: rev } = kv;
  const read = readStored(resource, kv, request);
  if (read === undefined) return placeholderOf(resource, kv, request);
  const json = withResourceVersion(read, rev);
  return { rev, json, fromStore: true, needsMigration: needsMigration(resource, kv) };
}

/** The placeholder of an object that cannot be read, with its name. */
function placeholderOf(
  { storageCodec }: StoredResource,
  { modRevision: rev }: KeyValue,
  { key }: ChangeRequest,
): Candidate {
  const json = withResourceVersion(storageCodec.placeholder(key), rev);
  return { rev, json, fromStore: true, needsMigration: false, isPlaceholder: true };
}

/** Undefined for an object that cannot be read and is removed nevertheless. */
function readStored(
  { storageCodec, type }: StoredResource,
  kv: KeyValue,
  request: ChangeRequest,
): Buffer | undefined {
  try {
    return storageCodec.read(readable(kv).value).json;
  } catch (cause) {
    const isConversion = cause instanceof ConversionNeeded || cause instanceof ApiError;
    if (type.objectConverter !== undefined && isConversion) throw cause;
    if (request.evenUnreadable === true) return undefined;
    throw unreadableStored(request, cause);
  }
}

/** Its finalizers and dependents are unknown, and it may be readable again, or by another server. */
const unreadableStored = ({ name }: ChangeRequest, cause: unknown): ApiError =>
  new UnreadableObjectError(
    `the stored object ${name} cannot be read: ${messageOf(cause)}; deleting it nevertheless requires the option ${IGNORES_READ_ERRORS}`,
    cause,
  );
