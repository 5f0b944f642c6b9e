import type { StrategyContext } from '@orch/apis';
import type { RawEntry } from '@orch/apply';
import type { ApiObject } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery/concurrency';
import { cloneJson } from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';
import type { Trace, UserInfo } from '@orch/request';
import { type Codec, isWithResourceVersion } from '@orch/schema';
import type { WritePath } from '../context/paths.ts';
import { entriesOf, type OwnersAfter, setOwners, type Writer } from '../convert/ownership.ts';
import type { Encoded } from '../convert/storage-codec.ts';
import { addWarnings } from '../request/reply.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import type { Change, Current, Proposal } from './change.ts';
import {
  changesGeneration,
  checkUpdatePreconditions,
  isDeletable,
  prepareUpdateMeta,
  storedMeta,
} from './rules/object-meta.ts';
import { shareUnchangedParts, sharingUnchangedParts } from './rules/unchanged-parts.ts';
import type { UpdateRules } from './rules/update-rules.ts';
import { sentToHub, strategyContextOf, validateObject } from './rules/validate-object.ts';

export interface Updating {
  /** In the version of the client, decoded and defaulted; it is consumed. */
  readonly sent: ApiObject;
  /** The codec that decoded it and validates it. */
  readonly codec: Codec;
  readonly user: UserInfo;
  readonly rules: UpdateRules;
  readonly owners: OwnersAfter;
  /** Receives the warnings about the object; absent for changes by the server itself. */
  readonly trace?: Trace | undefined;
}

/** An update in the hub version. */
type UpdatingTo = Omit<Updating, 'sent'> & { readonly next: ApiObject };

/** The owners after a write other than an apply, at the current time. */
export const ownersBy = (path: WritePath, resource: StoredResource, writer: Writer): OwnersAfter =>
  resource.ownership.byUpdate(writer, formatTime(path.env.clock.now()));

/** Proposes an update. A promise for a large object, and where the conversion to the hub version takes long. */
export function updated(
  path: WritePath,
  resource: StoredResource,
  current: Current,
  updating: Updating,
): Proposal | Promise<Proposal> {
  const propose = (): Proposal | Promise<Proposal> => proposed(path, resource, current, updating);
  return current.isLarge ? path.turns.next().then(propose) : propose();
}

function proposed(
  path: WritePath,
  resource: StoredResource,
  current: Current,
  { sent, ...updating }: Updating,
): Proposal | Promise<Proposal> {
  const { codec, user, rules } = updating;
  const prepare = (object: ApiObject): void =>
    rules.prepare(
      object,
      resource.converter.fromHub(current.object),
      strategyContextOf(path, resource, user),
    );
  const to = (next: ApiObject): Proposal => updatedTo(path, resource, current, { next, ...updating });
  return whenFulfilled(sentToHub(path, resource, sent, { codec, prepare }), to);
}

/** As `updated`, of an object in the hub version. */
export function updatedTo(
  path: WritePath,
  resource: StoredResource,
  current: Current,
  { next, ...updating }: UpdatingTo,
): Proposal {
  checkUpdatePreconditions(resource, next.metadata, current.object.metadata, current.rev);
  // Work on objects that a webhook converts is repeated from its beginning, and completing an object changes it.
  const own = (object: ApiObject): ApiObject =>
    resource.type.objectConverter === undefined ? object : cloneJson(object);
  const complete = (object: ApiObject): Change | Promise<Change> =>
    completed(path, resource, current, { next: own(object), ...updating });
  return { kind: 'propose', next, complete };
}

/** An update that is completed. */
interface Completing {
  readonly path: WritePath;
  readonly resource: StoredResource;
  readonly current: Current;
  readonly updating: UpdatingTo;
  readonly context: StrategyContext;
}

/** Sets what the server decides, validates the object and decides on it. A promise where a part of it waits for a turn. */
function completed(
  path: WritePath,
  resource: StoredResource,
  current: Current,
  updating: UpdatingTo,
): Change | Promise<Change> {
  const context = strategyContextOf(path, resource, updating.user);
  const completing: Completing = { path, resource, current, updating, context };
  if (current.isLarge) return completedInTurns(completing);
  const sentOwners = prepared(completing);
  if (resource.type.strategy.canonicalize === undefined) shareUnchangedParts(updating.next, current.object);
  const valid = validated(completing);
  return valid instanceof Promise
    ? valid.then(() => owned(completing, sentOwners))
    : owned(completing, sentOwners);
}

async function completedInTurns(completing: Completing): Promise<Change> {
  const { path, resource, current, updating } = completing;
  await path.turns.next();
  const sentOwners = prepared(completing);
  if (resource.type.strategy.canonicalize === undefined)
    await path.turns.run(sharingUnchangedParts(updating.next, current.object));
  await validated(completing);
  return owned(completing, sentOwners);
}

/** Sets what the server decides, except the owners of fields. Returns those that the client sent. */
function prepared({ updating: { next, rules }, current, context }: Completing): readonly RawEntry[] {
  const old = current.object;
  prepareUpdateMeta(next.metadata, old.metadata);
  rules.prepare(next, old, context);
  // Managed fields that the client sent are evaluated after all other fields are final.
  const sentOwners = entriesOf(next.metadata);
  delete next.metadata.managedFields;
  return sentOwners;
}

/** Counts the generation, and validates the object. */
function validated({ path, resource, current, updating, context }: Completing): void | Promise<void> {
  const { next, codec, rules } = updating;
  const { object: old, isLarge } = current;
  if (rules.keepsGeneration !== true && changesGeneration(resource, next, old)) {
    next.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
  return validateObject(path, resource, {
    next,
    old,
    codec,
    isLarge,
    inTurns: rules.validation?.(next, old, context),
    ofKind: () => rules.validate(next, old, context),
  });
}

/** Sets the owners of fields of a valid object, and decides on it. */
function owned(
  { path, resource, current, updating: { next, owners, rules, trace }, context }: Completing,
  sentOwners: readonly RawEntry[],
): Change | Promise<Change> {
  if (rules.warnings !== undefined) addWarnings(trace, rules.warnings(next, current.object, context));
  resource.type.strategy.canonicalize?.(next, context);
  setOwners(next.metadata, sentOwners);
  const after = owners(next, current.object, current.isLarge);
  const decide = (entries: readonly RawEntry[]): Change | Promise<Change> => {
    setOwners(next.metadata, entries);
    return changeTo(path, resource, next, current);
  };
  return whenFulfilled('next' in after ? path.turns.run(after) : after, decide);
}

/**
 * Encodes an object and decides what to do with it: it is removed when nothing delays its deletion any longer. A promise for
 * a large object, which is encoded in turns.
 */
export function changeTo(
  path: Pick<WritePath, 'turns'>,
  resource: StoredResource,
  next: ApiObject,
  current: Current,
): Change | Promise<Change> {
  const encoded = encodedState(path, resource, next, current);
  return encoded instanceof Promise
    ? encoded.then((state) => changeAs(resource, next, current, state))
    : changeAs(resource, next, current, encoded);
}

/** An object as it is stored. A promise for a large one, which is encoded in turns. */
export function encodedState(
  { turns }: Pick<WritePath, 'turns'>,
  { storageCodec }: StoredResource,
  next: ApiObject,
  { isLarge }: Current,
): Encoded | Promise<Encoded> {
  next.metadata = storedMeta(next.metadata);
  if (!isLarge) return storageCodec.encode(next);
  const inTurns = async (): Promise<Encoded> => {
    const encoded = await turns.run(storageCodec.encodeInPieces(next));
    await turns.next();
    return encoded;
  };
  return inTurns();
}

function changeAs(resource: StoredResource, next: ApiObject, current: Current, encoded: Encoded): Change {
  const deletable = isDeletable(next.metadata) && !isHeldByKind(resource, next);
  if (deletable) return { kind: 'remove', hub: encoded.hub };
  return isWithResourceVersion(current.json, encoded.hub, current.rev, encoded.splice)
    ? { kind: 'keep', encoded }
    : { kind: 'write', encoded };
}

/** The kind delays the removal of a deleted object (a namespace's own finalizers). */
export const isHeldByKind = (resource: StoredResource, object: ApiObject): boolean =>
  (resource.type.strategy.ownFinalizers?.(object) ?? []).length > 0;
