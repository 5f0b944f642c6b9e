import { type ApiObject, formatTime } from '@orch/machinery';
import type { UserInfo } from '@orch/request';
import { type Codec, withResourceVersion } from '@orch/schema';
import { entriesOf, type OwnersAfter, setOwners, type Writer } from '../convert/ownership.ts';
import type { WritePath } from '../resource/paths.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import type { Change, Current } from './change-object.ts';
import {
  checkUpdatePreconditions,
  contentChanged,
  isDeletable,
  prepareUpdateMeta,
  storedMeta,
} from './object-meta.ts';
import type { UpdateRules } from './update-rules.ts';
import { strategyContextOf, validateObject } from './validate-object.ts';

export interface Updating {
  /** In the version of the client, decoded and defaulted; it is used up. */
  readonly sent: ApiObject;
  /** That it was decoded with; it validates too. */
  readonly codec: Codec;
  readonly user: UserInfo;
  readonly rules: UpdateRules;
  readonly owners: OwnersAfter;
}

/** The owners after a write that is no apply, at the time of now. */
export const ownersBy = (path: WritePath, resource: StoredResource, writer: Writer): OwnersAfter =>
  resource.ownership.byUpdate(writer, formatTime(path.env.clock.now()));

/** Decides on an update: what is stored after it. */
export function updated(
  path: WritePath,
  resource: StoredResource,
  current: Current,
  { sent, ...rest }: Updating,
): Change {
  return updatedTo(path, resource, current, { next: resource.converter.toHub(sent), ...rest });
}

/** As `updated`, of an object in the hub version. */
export function updatedTo(
  path: WritePath,
  resource: StoredResource,
  current: Current,
  { next, codec, user, rules, owners }: Omit<Updating, 'sent'> & { readonly next: ApiObject },
): Change {
  const old = current.object;
  checkUpdatePreconditions(resource, next.metadata, old.metadata, current.rev);
  prepareUpdateMeta(next.metadata, old.metadata);
  const strategyContext = strategyContextOf(path, resource, user);
  rules.prepare(next, old, strategyContext);
  // What the client says of owners is judged when everything else is as it will be.
  const sentOwners = entriesOf(next.metadata);
  delete next.metadata.managedFields;
  const { strategy } = resource.type;
  if (strategy.generation === 'spec' && contentChanged(next, old)) {
    next.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
  validateObject(resource, {
    next,
    old,
    codec,
    names: path.names,
    ofKind: () => rules.validate(next, old, strategyContext),
  });
  strategy.canonicalize?.(next, strategyContext);
  setOwners(next.metadata, sentOwners);
  setOwners(next.metadata, owners(next, old));
  return changeTo(resource, next, current);
}

/** Encodes an object and says what to do with it: remove it when its deletion waits for nothing more. */
export function changeTo(resource: StoredResource, next: ApiObject, current: Current): Change {
  next.metadata = storedMeta(next.metadata);
  const deletable = isDeletable(next.metadata) && !isHeldByKind(resource, next);
  const encoded = resource.storageCodec.encode(next);
  if (deletable) return { kind: 'remove', hub: encoded.hub };
  return withResourceVersion(encoded.hub, current.rev).equals(current.json)
    ? { kind: 'keep', encoded }
    : { kind: 'write', encoded };
}

/** The kind itself keeps a deleted object (a namespace's own finalizers). */
export const isHeldByKind = (resource: StoredResource, object: ApiObject): boolean =>
  (resource.type.strategy.ownFinalizers?.(object) ?? []).length > 0;
