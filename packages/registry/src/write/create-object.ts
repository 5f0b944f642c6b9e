import type { StrategyContext } from '@orch/apis';
import type { RawEntry } from '@orch/apply';
import { type ApiObject, cloneJson, errors, generatedName } from '@orch/machinery';
import type { Trace, UserInfo } from '@orch/request';
import { peekMeta, withResourceVersion } from '@orch/schema';
import { commitObject } from '../commit/object-committer.ts';
import { whenConverted } from '../convert/conversion-needed.ts';
import { setOwners, type Writer } from '../convert/ownership.ts';
import type { OptionsObject } from '../request/options-object.ts';
import type { WritePath } from '../resource/paths.ts';
import { type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';
import { type Admission, admissionOf, creating } from './admission.ts';
import { begunAfter } from './hooked-write.ts';
import { mutateObject } from './mutate-object.ts';
import { checkNamespace, prepareCreateMeta, storedMeta } from './rules/object-meta.ts';
import { sentToHub } from './rules/sent-to-hub.ts';
import { strategyContextOf, validatedInTurns, validateObject } from './rules/validate-object.ts';

/** Names tried for one `generateName` before the request fails with a request to retry. */
const MAX_NAMES = 8;
const TRY_AGAIN_SECONDS = 1;
const VERSION_IS_SET = 'resourceVersion should not be set on objects to be created';

/** The JSON of an object in the hub version after a write. */
export interface StoredState {
  /** `''` for an object that was never stored (a dry run). */
  readonly resourceVersion: string;
  readonly json: Buffer;
}

/** Namespace, user and extent of the creation of an object. */
export interface CreateObjectOptions {
  readonly namespace: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** Of the request; absent for objects that the server creates for itself. */
  readonly trace?: Trace | undefined;
  /** The options of the request, for admission plugins. */
  readonly requestOptions?: OptionsObject;
  /** Owns the fields of the object; the server itself when absent. */
  readonly writer?: Writer;
  /** The managed fields of an object that is created by apply, instead of those of `writer`. */
  readonly owners?: readonly RawEntry[];
  /** Status of an object that the server creates for itself; objects of clients get the initial status of their kind. */
  readonly status?: Readonly<Record<string, unknown>>;
}

/** Stores a new object, decoded and defaulted in the version of the client, which is consumed. */
export async function createObject(
  path: WritePath,
  resource: StoredResource,
  sent: ApiObject,
  options: CreateObjectOptions,
): Promise<StoredState> {
  const { type } = resource;
  // Refuses a creation that the guard would refuse in the end; the guard counts when the object is stored.
  type.writeGuard?.current('create');
  const namespace = type.namespaced ? options.namespace : '';
  // Manifests of cluster-scoped objects often name a namespace; it has no meaning.
  if (!type.namespaced) delete sent.metadata.namespace;
  checkNamespace(sent, resource, namespace);
  const strategyContext = strategyContextOf(path, resource, options.user);
  const { writer = { manager: path.names.programs.apiserver, subresource: '' } } = options;
  // Fields that the server sets from here on have no owner.
  setOwners(
    sent.metadata,
    options.owners ?? resource.ownership.afterCreate(sent, writer, strategyContext.now),
  );
  if (type.objectConverter !== undefined && type.strategy.resetStatus) resetSentStatus(resource, sent);
  const prepareSent = (object: ApiObject): void => {
    if (type.strategy.resetStatus) resetSentStatus(resource, object);
  };
  const converting = whenConverted(
    resource,
    () => sentToHub(path, resource, sent, { prepare: prepareSent }),
    options.signal,
  );
  const object = converting instanceof Promise ? await converting : converting;
  // Clients that keep versions as numbers send "0" for none.
  if (!['', '0'].includes(object.metadata.resourceVersion ?? '')) {
    throw errors.badRequest(VERSION_IS_SET, VERSION_IS_SET);
  }
  const admission = admissionOfCreation(path, resource, object, options);
  const prechecking = admission?.precheck();
  if (prechecking !== undefined) await prechecking;
  const mutated =
    admission?.mutate === undefined
      ? object
      : await mutateObject(resource, creating(object), admission.mutate);
  return storeUnderFreeName(path, {
    resource,
    object: mutated,
    namespace,
    strategyContext,
    options,
    admission,
  });
}

/** A creation whose object is in the hub version. */
interface Creation {
  readonly resource: StoredResource;
  readonly object: ApiObject;
  readonly namespace: string;
  readonly strategyContext: StrategyContext;
  readonly options: CreateObjectOptions;
  readonly admission: Admission | undefined;
}

const creation = { operation: 'CREATE', subresource: '' } as const;

/** The admission of a creation, under the name that the object has so far. */
function admissionOfCreation(
  path: WritePath,
  resource: StoredResource,
  { metadata: { name = '' } }: ApiObject,
  { namespace, user, dryRun, signal, trace, requestOptions: options }: CreateObjectOptions,
): Admission | undefined {
  const place = resource.type.namespaced ? namespace : '';
  return admissionOf(path, resource, creation, {
    name,
    namespace: place,
    user,
    dryRun,
    signal,
    trace,
    options,
  });
}

/** Stores the object under its name, or under a generated name that is not taken. */
async function storeUnderFreeName(path: WritePath, creation: Creation): Promise<StoredState> {
  const { resource, object, options } = creation;
  const base = object.metadata.generateName ?? '';
  const generates = (object.metadata.name ?? '') === '' && base !== '';
  for (let attempt = 1; ; attempt++) {
    // Preparing an object changes it, and a strategy may derive fields from the name.
    const next = generates ? cloneJson(object) : object;
    if (generates) next.metadata.name = generatedName(base, path.env.random);
    prepare(creation, next);
    if (options.status !== undefined) next['status'] = options.status;
    const stored = await store(path, creation, next);
    if (stored !== undefined) return stored;
    if (generates && attempt < MAX_NAMES) continue;
    const retryAfterSeconds = generates ? TRY_AGAIN_SECONDS : undefined;
    const isDeleted = await isBeingDeleted(path, resource, next, options.signal);
    throw errors.alreadyExists(subjectOf(resource, next.metadata.name), { retryAfterSeconds, isDeleted });
  }
}

/** Whether the stored object of that name is being deleted; false where that cannot be read. */
async function isBeingDeleted(
  path: WritePath,
  { keyPrefix, storageCodec, type }: StoredResource,
  { metadata: { name = '', namespace = '' } }: ApiObject,
  signal: AbortSignal,
): Promise<boolean> {
  const { kv } = await path.store.get(keyPrefix + objectKey(type.namespaced, namespace, name), signal);
  if (kv === undefined || kv.unreadable !== undefined) return false;
  try {
    return peekMeta(storageCodec.read(kv.value).json).deletionTimestamp !== undefined;
  } catch {
    return false;
  }
}

/** Sets the fields that the server determines: metadata, status, and the fields of the kind's strategy. */
function prepare({ resource, namespace, strategyContext }: Creation, object: ApiObject): void {
  const { strategy } = resource.type;
  prepareCreateMeta(object.metadata, {
    namespace,
    uid: strategyContext.uuid(),
    now: strategyContext.now,
    generation: strategy.generation === 'none' ? undefined : 1,
  });
  if (strategy.resetStatus && 'status' in object && resource.type.objectConverter === undefined)
    resetStatus(resource, object);
  strategy.prepareForCreate?.(object, strategyContext);
}

/** Sets the status that an object without one gets, with its defaults. */
function resetStatus({ type, codec, converter }: StoredResource, object: ApiObject): void {
  const empty = { kind: type.kind, apiVersion: converter.apiVersion, metadata: {} };
  const { status } = converter.toHub(codec.decode(empty, { defaults: true }).value);
  if (status === undefined) delete object['status'];
  else object['status'] = status;
}

/** As `resetStatus`, before the conversion: a webhook receives only objects that clients sent or that are stored. */
function resetSentStatus({ type, codec, converter }: StoredResource, sent: ApiObject): void {
  const empty = { kind: type.kind, apiVersion: converter.apiVersion, metadata: {} };
  const { status } = codec.decode(empty, { defaults: true }).value;
  if (status === undefined) delete sent['status'];
  else sent['status'] = status;
}

/** Validates, admits, encodes and stores an object. Undefined when the name is taken. */
async function store(
  path: WritePath,
  { resource, strategyContext, options, admission }: Creation,
  object: ApiObject,
): Promise<StoredState | undefined> {
  const { strategy } = resource.type;
  const inTurns = validatedInTurns(path, strategy.validation?.(object, undefined, strategyContext));
  const found = inTurns === undefined ? undefined : await inTurns;
  const validate = (): void | Promise<void> =>
    validateObject(path, resource, {
      next: object,
      names: path.names,
      ofKind: () => found ?? strategy.validate?.(object, undefined, strategyContext) ?? [],
    });
  const validating = whenConverted(resource, validate, options.signal);
  if (validating instanceof Promise) await validating;
  strategy.canonicalize?.(object, strategyContext);
  object.metadata = storedMeta(object.metadata);
  const { name = '', namespace = '' } = object.metadata;
  const { user, dryRun, signal, trace } = options;
  const taken =
    admission?.validate === undefined ? undefined : await admission.validate({ ...creating(object), name });
  const { hooks } = resource;
  const pending =
    hooks === undefined
      ? taken
      : await begunAfter(taken, () => hooks.begin({ next: object, old: undefined, user, dryRun, signal }));
  const encoded = resource.storageCodec.encode(object);
  const { hub } = encoded;
  const ownKey = objectKey(resource.type.namespaced, namespace, name);
  if (dryRun) return dryRunState(path, resource.keyPrefix + ownKey, hub, signal);
  const committed = await commitObject(path.committer, {
    resource,
    key: ownKey,
    name,
    expected: undefined,
    old: undefined,
    next: encoded,
    user,
    signal,
    trace,
    pending,
  });
  if (!committed.ok) return undefined;
  return { resourceVersion: String(committed.rev), json: withResourceVersion(hub, committed.rev) };
}

/** The result of a dry run, which only finds out whether the name is taken. */
async function dryRunState(
  path: WritePath,
  key: string,
  hub: Buffer,
  signal: AbortSignal,
): Promise<StoredState | undefined> {
  const { kv } = await path.store.get(key, signal);
  return kv === undefined ? { resourceVersion: '', json: hub } : undefined;
}
