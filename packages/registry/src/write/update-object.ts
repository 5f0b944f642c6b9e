import type { ApiObject } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';
import type { UserInfo } from '@orch/request';
import { type Codec, isWithResourceVersion } from '@orch/schema';
import type { WritePath } from '../context/paths.ts';
import { entriesOf, type OwnersAfter, setOwners, type Writer } from '../convert/ownership.ts';
import type { Encoded } from '../convert/storage-codec.ts';
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
}

/** An update in the hub version. */
type UpdatingTo = Omit<Updating, 'sent'> & { readonly next: ApiObject };

/** The owners after a write other than an apply, at the current time. */
export const ownersBy = (path: WritePath, resource: StoredResource, writer: Writer): OwnersAfter =>
  resource.ownership.byUpdate(writer, formatTime(path.env.clock.now()));

/** Proposes an update. */
export async function updated(
  path: WritePath,
  resource: StoredResource,
  current: Current,
  { sent, ...rest }: Updating,
): Promise<Proposal> {
  const { codec, rules, user } = rest;
  if (current.isLarge) await path.turns.next();
  const prepare = (object: ApiObject): void =>
    rules.prepare(
      object,
      resource.converter.fromHub(current.object),
      strategyContextOf(path, resource, user),
    );
  const next = await sentToHub(path, resource, sent, { codec, prepare });
  return updatedTo(path, resource, current, { next, ...rest });
}

/** As `updated`, of an object in the hub version. */
export function updatedTo(
  path: WritePath,
  resource: StoredResource,
  current: Current,
  updating: UpdatingTo,
): Proposal {
  const { next } = updating;
  checkUpdatePreconditions(resource, next.metadata, current.object.metadata, current.rev);
  // Work on objects that a webhook converts is repeated from its beginning, and completing an object changes it.
  const own = (object: ApiObject): ApiObject =>
    resource.type.objectConverter === undefined ? object : cloneJson(object);
  const complete = (object: ApiObject): Promise<Change> =>
    completed(path, resource, current, { ...updating, next: own(object) });
  return { kind: 'propose', next, complete };
}

/** Sets what the server decides, validates the object and decides on it. */
async function completed(
  path: WritePath,
  resource: StoredResource,
  current: Current,
  { next, codec, user, rules, owners }: UpdatingTo,
): Promise<Change> {
  const old = current.object;
  const { isLarge } = current;
  if (isLarge) await path.turns.next();
  prepareUpdateMeta(next.metadata, old.metadata);
  const strategyContext = strategyContextOf(path, resource, user);
  rules.prepare(next, old, strategyContext);
  // Managed fields that the client sent are evaluated after all other fields are final.
  const sentOwners = entriesOf(next.metadata);
  delete next.metadata.managedFields;
  const { strategy } = resource.type;
  if (strategy.canonicalize === undefined) {
    if (isLarge) await path.turns.run(sharingUnchangedParts(next, old));
    else shareUnchangedParts(next, old);
  }
  if (rules.keepsGeneration !== true && changesGeneration(resource, next, old)) {
    next.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
  await validateObject(path, resource, {
    next,
    old,
    codec,
    isLarge,
    inTurns: rules.validation?.(next, old, strategyContext),
    ofKind: () => rules.validate(next, old, strategyContext),
  });
  strategy.canonicalize?.(next, strategyContext);
  setOwners(next.metadata, sentOwners);
  const after = owners(next, old, isLarge);
  setOwners(next.metadata, 'next' in after ? await path.turns.run(after) : after);
  return changeTo(path, resource, next, current);
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
  return isWithResourceVersion(current.json, encoded.hub, current.rev)
    ? { kind: 'keep', encoded }
    : { kind: 'write', encoded };
}

/** The kind delays the removal of a deleted object (a namespace's own finalizers). */
export const isHeldByKind = (resource: StoredResource, object: ApiObject): boolean =>
  (resource.type.strategy.ownFinalizers?.(object) ?? []).length > 0;
