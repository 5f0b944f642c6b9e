import { type ApiObject, errors } from '@orch/machinery';
import { atOnce, type Turns } from '@orch/machinery/concurrency';
import { cloneJson, cloneJsonInPieces } from '@orch/machinery/json';
import { generatedName } from '@orch/machinery/object-meta';
import type { Trace, UserInfo } from '@orch/request';
import { peekMeta } from '@orch/schema';
import type { WritePath } from '../context/paths.ts';
import { addWarnings } from '../request/reply.ts';
import type { OptionsObject } from '../request/write-options.ts';
import { type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';
import { NewObject, type NewObjectOptions } from './rules/new-object.ts';
import { storedMeta } from './rules/object-meta.ts';
import { strategyContextOf } from './rules/validate-object.ts';
import { servedJson, WriteSteps } from './write-steps.ts';

/** Attempts to find a free generated name before the request fails with Retry-After. */
const MAX_NAMES = 8;
const TRY_AGAIN_SECONDS = 1;

/** The JSON of an object in the hub version after a write. */
export interface StoredState {
  /** `''` for an object that was never stored (a dry run). */
  readonly resourceVersion: string;
  readonly json: Buffer;
}

/** Namespace, user and extent of the creation of an object. */
export interface CreateObjectOptions extends NewObjectOptions {
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** Trace of the request; absent for objects that the server creates for itself. */
  readonly trace?: Trace | undefined;
  /** The options of the request, for admission plugins. */
  readonly requestOptions?: OptionsObject;
  /** Bytes of the body; absent for objects that the server creates for itself, which are small. */
  readonly size?: number;
}

/**
 * Stores a new object, decoded and defaulted in the version of the client, which is consumed: under its name, or under a
 * generated name that is not taken.
 */
export async function createObject(
  path: WritePath,
  resource: StoredResource,
  sent: ApiObject,
  options: CreateObjectOptions,
): Promise<StoredState> {
  // Refuses a creation that the guard would refuse anyway; the decision of the guard applies when the object is
  // stored.
  resource.type.writeGuard?.current('create');
  const context = strategyContextOf(path, resource, options.user);
  const rules = new NewObject(path, resource, { options, context });
  const steps = stepsOf(path, resource, sent, { options, rules });
  const { isLarge } = steps;
  const work = rules.sent(sent, isLarge);
  if (isLarge) await path.turns.run(work);
  else atOnce(work);
  if (isLarge) await steps.turn();
  // To wait for a value that is there costs more than most of the steps.
  const converted = steps.hub(() => rules.hub(sent));
  const hub = converted instanceof Promise ? await converted : converted;
  rules.checkVersion(hub);
  const checked = steps.precheck();
  if (checked instanceof Promise) await checked;
  const mutated = steps.mutate(hub, undefined);
  const object = mutated instanceof Promise ? await mutated : mutated;
  const base = object.metadata.generateName ?? '';
  const generates = (object.metadata.name ?? '') === '' && base !== '';
  for (let attempt = 1; ; attempt++) {
    // Preparing an object changes it, and a strategy may derive fields from the name.
    const copied = generates ? copyOf(object, isLarge ? path.turns : undefined) : object;
    const next = copied instanceof Promise ? await copied : copied;
    if (generates) next.metadata.name = generatedName(base, path.env.random);
    if (isLarge) await steps.turn();
    rules.prepare(next);
    const valid = steps.valid(() => rules.validate(next, isLarge));
    if (valid instanceof Promise) await valid;
    const { strategy } = resource.type;
    addWarnings(options.trace, context.warnings);
    if (strategy.warnings !== undefined)
      addWarnings(options.trace, strategy.warnings(next, undefined, context));
    strategy.canonicalize?.(next, context);
    next.metadata = storedMeta(next.metadata);
    const stored = await store(path, resource, { steps, options, object: next });
    if (stored !== undefined) return stored;
    if (generates && attempt < MAX_NAMES) continue;
    const retryAfterSeconds = generates ? TRY_AGAIN_SECONDS : undefined;
    const isDeleted = await isBeingDeleted(path, resource, next, options.signal);
    throw errors.alreadyExists(subjectOf(resource, next.metadata.name), { retryAfterSeconds, isDeleted });
  }
}

/** A copy of an object, of a large one in turns. */
const copyOf = (object: ApiObject, turns: Turns | undefined): ApiObject | Promise<ApiObject> =>
  turns === undefined ? cloneJson(object) : turns.run(cloneJsonInPieces(object));

const creation = { operation: 'CREATE', subresource: '' } as const;

/** The steps of a creation, under the name that the object has so far. */
function stepsOf(
  path: WritePath,
  resource: StoredResource,
  { metadata: { name = '' } }: ApiObject,
  { options, rules: { namespace } }: { readonly options: CreateObjectOptions; readonly rules: NewObject },
): WriteSteps {
  const { user, dryRun, signal, trace, requestOptions, size = 0 } = options;
  const writing = { name, namespace, user, dryRun, signal, trace, options: requestOptions };
  const steps = new WriteSteps(path, resource, creation, writing);
  steps.size = size;
  return steps;
}

interface Creation {
  readonly steps: WriteSteps;
  readonly options: CreateObjectOptions;
  /** Valid. */
  readonly object: ApiObject;
}

/** Stores an object; undefined when its name is taken, which is all that a dry run checks. */
async function store(
  path: WritePath,
  resource: StoredResource,
  { steps, options: { dryRun, signal }, object }: Creation,
): Promise<StoredState | undefined> {
  const { name = '', namespace = '' } = object.metadata;
  const states = { object, oldObject: undefined, name, stored: object };
  const drafted = steps.created(states);
  const ready = drafted instanceof Promise ? await drafted : drafted;
  const key = objectKey(resource.type.namespaced, namespace, name);
  if (dryRun) {
    const { kv } = await path.store.get(resource.keyPrefix + key, signal);
    return kv === undefined ? { resourceVersion: '', json: ready.hub } : undefined;
  }
  const committed = await steps.commit(ready, { key, name });
  if (!committed.ok) return undefined;
  const { rev } = committed;
  return { resourceVersion: String(rev), json: servedJson(ready, rev) };
}

/** Reports whether the stored object of that name is being deleted; false when that cannot be read. */
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
