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

/** The state in the cache, which may be stale; undefined when the store must be read. */
export function cachedCandidate(resource: StoredResource, key: string): Candidate | undefined {
  const object = cachedObject(resource, key);
  return object === undefined || object.corrupt || isOutdated(resource, object)
    ? undefined
    : { rev: object.rev, json: object.json(), fromStore: false, needsMigration: false };
}

/** Stored in another version, and not converted in the cache: the state in the store is read and converted. */
const isOutdated = ({ type, storageCodec }: StoredResource, object: CachedObject): boolean =>
  type.objectConverter?.hasOutdated === true && !storageCodec.isCurrent(object.json());

/**
 * The state in the store; undefined when the object does not exist. `cached` is not decoded again where it is that state:
 * decoding a large object holds the thread for long.
 */
export async function readCandidate(
  path: WritePath,
  resource: StoredResource,
  request: ChangeRequest,
  cached?: Candidate,
): Promise<Candidate | undefined> {
  const { kv } = await path.store.get(resource.keyPrefix + request.key, request.signal);
  return cached !== undefined && kv?.modRevision === cached.rev && kv.unreadable === undefined
    ? { ...cached, fromStore: true, needsMigration: needsMigration(resource, kv) }
    : readCandidateOf(resource, kv, request);
}

const needsMigration = ({ storageCodec }: StoredResource, kv: KeyValue): boolean =>
  hasOutdatedValue(kv) || !storageCodec.isCurrent(readable(kv).value);

/** The state that was read from the store. A conversion that fails makes an object unreadable. */
export async function readCandidateOf(
  resource: StoredResource,
  kv: KeyValue | undefined,
  request: ChangeRequest,
): Promise<Candidate | undefined> {
  try {
    return await whenConverted(resource, () => candidateOf(resource, kv, request), request.signal);
  } catch (cause) {
    if (kv === undefined || request.evenUnreadable !== true || !(cause instanceof ApiError)) throw cause;
    return placeholderOf(resource, kv, request);
  }
}

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
