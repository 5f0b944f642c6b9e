import type { StrategyContext } from '@orch/apis';
import type { RawEntry } from '@orch/apply';
import { type ApiObject, cloneJson, errors } from '@orch/machinery';
import type { UserInfo } from '@orch/request';
import { withResourceVersion } from '@orch/schema';
import { setOwners, type Writer } from '../convert/ownership.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';
import { admissionOf, creating } from './admission.ts';
import { commitSettled } from './hooked-write.ts';
import { lifetimeOf } from './lifetime.ts';
import { requireNamespace } from './namespace-lifecycle.ts';
import { checkNamespace, generatedName, prepareCreateMeta, storedMeta } from './object-meta.ts';
import { strategyContext, validateObject } from './validate-object.ts';

/** Names tried for one `generateName` before the client is told to try again. */
const MAX_NAMES = 8;
const TRY_AGAIN_SECONDS = 1;
const VERSION_IS_SET = 'resourceVersion should not be set on objects to be created';

/** An object in the hub version, with its resourceVersion: what a write leaves behind. */
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
  /** Whose fields they are from then on; the server's own when absent. */
  readonly writer?: Writer;
  /** Who owns the fields of an object that is created by apply: in the place of `writer`. */
  readonly owners?: readonly RawEntry[];
  /** Status of an object that the server makes for itself; what clients send begins as its kind says. */
  readonly status?: Readonly<Record<string, unknown>>;
}

/** Stores a new object, which was decoded and defaulted in the version of the client, and is the server's to change. */
export async function createObject(
  context: RegistryContext,
  resource: StoredResource,
  sent: ApiObject,
  place: CreateObjectOptions,
): Promise<StoredState> {
  const { type } = resource;
  const namespace = type.namespaced ? place.namespace : '';
  checkNamespace(sent, resource, namespace);
  const strategist = strategyContext(context, resource, place.user);
  const { writer = { manager: context.names.programs.apiserver, subresource: '' } } = place;
  // What the server adds from here on belongs to nobody.
  setOwners(sent.metadata, place.owners ?? resource.ownership.afterCreate(sent, writer, strategist.now));
  const object = resource.form.lift(sent);
  // "0" is what clients send that keep versions as numbers; to the server it is none.
  if (!['', '0'].includes(object.metadata.resourceVersion ?? '')) {
    throw errors.badRequest(VERSION_IS_SET, VERSION_IS_SET);
  }
  if (namespace !== '') {
    const name = object.metadata.name ?? '';
    const checking = requireNamespace(context, resource, { namespace, name, signal: place.signal });
    if (checking !== undefined) await checking;
  }
  const base = object.metadata.generateName ?? '';
  const generates = (object.metadata.name ?? '') === '' && base !== '';
  for (let attempt = 1; ; attempt++) {
    // Preparing an object changes it, and what a kind sets may follow from the name.
    const next = generates ? cloneJson(object) : object;
    if (generates) next.metadata.name = generatedName(base, context.env.random);
    prepare(resource, next, namespace, strategist);
    if (place.status !== undefined) next['status'] = place.status;
    const stored = await store(context, resource, next, strategist, place);
    if (stored !== undefined) return stored;
    if (generates && attempt < MAX_NAMES) continue;
    throw errors.alreadyExists(
      subjectOf(resource, next.metadata.name),
      generates ? TRY_AGAIN_SECONDS : undefined,
    );
  }
}

/** Sets what the server decides: metadata, status, and what the kind's strategy says. */
function prepare(
  resource: StoredResource,
  object: ApiObject,
  namespace: string,
  strategist: StrategyContext,
): void {
  const { strategy } = resource.type;
  prepareCreateMeta(object.metadata, {
    namespace,
    uid: strategist.uuid(),
    now: strategist.now,
    generation: strategy.generation === 'none' ? undefined : 1,
  });
  if (strategy.resetStatus && 'status' in object) resetStatus(resource, object);
  strategy.prepareForCreate?.(object, strategist);
}

/** The status that an object has which came without one, defaults included. */
function resetStatus({ type, codec, form }: StoredResource, object: ApiObject): void {
  const empty = { kind: type.kind, apiVersion: form.apiVersion, metadata: {} };
  const { status } = form.lift(codec.decode(empty, { defaults: true }).value);
  if (status === undefined) delete object['status'];
  else object['status'] = status;
}

const createdAs = { operation: 'CREATE', subresource: '' } as const;

/** Validates, encodes once, and stores. Undefined when the name is taken. */
async function store(
  context: RegistryContext,
  resource: StoredResource,
  object: ApiObject,
  strategist: StrategyContext,
  place: Pick<CreateObjectOptions, 'user' | 'dryRun' | 'signal'>,
): Promise<StoredState | undefined> {
  const { strategy } = resource.type;
  validateObject(resource, {
    next: object,
    names: context.names,
    ofKind: () => strategy.validate?.(object, undefined, strategist) ?? [],
  });
  strategy.canonicalize?.(object, strategist);
  object.metadata = storedMeta(object.metadata);
  const { name = '', namespace = '' } = object.metadata;
  const { user, dryRun, signal } = place;
  const key = resource.keyPrefix + objectKey(resource.type.namespaced, namespace, name);
  const admit = admissionOf(context.admission, resource, createdAs, {
    name,
    namespace,
    user,
    dryRun,
    signal,
  });
  if (admit !== undefined) await admit(creating(object));
  const pending =
    resource.hooks === undefined
      ? undefined
      : await resource.hooks.begin({ next: object, old: undefined, user, dryRun, signal });
  const encoded = resource.stored.encode(object);
  const { value, hub } = encoded;
  if (dryRun) return rehearse(context, key, hub, signal);
  context.ownWrites?.sending(key, encoded);
  const committed = await commitSettled(pending, signal, () =>
    context.store.commit({ op: 'create', key, value, ...lifetimeOf(strategy, context) }, signal),
  );
  if (!committed.ok) return undefined;
  return { resourceVersion: String(committed.rev), json: withResourceVersion(hub, committed.rev) };
}

/** A dry run finds out whether the name is taken, and writes nothing. */
async function rehearse(
  context: RegistryContext,
  key: string,
  hub: Buffer,
  signal: AbortSignal,
): Promise<StoredState | undefined> {
  const { kv } = await context.store.get(key, signal);
  return kv === undefined ? { resourceVersion: '', json: hub } : undefined;
}
