import {
  type ApiObject,
  errors,
  formatTime,
  hasDeletionTimestamp,
  type Names,
  type ObjectMeta,
  timeMs,
} from '@orch/machinery';
import type { Reply, ResourceContext, UserInfo } from '@orch/request';
import { type DeleteOptions, readDeleteOptions } from '../request/delete-options.ts';
import { formOf, queryOf, successReply } from '../request/reply.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { keyOf, type ServedResource, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { type Change, type Changed, type Current, changeObject } from '../write/change-object.ts';
import { refuseProtected } from '../write/namespace-lifecycle.ts';
import { isReadyToGo, uidMismatch } from '../write/object-meta.ts';
import { changedReply } from '../write/object-reply.ts';
import { changeTo, isHeldByKind } from '../write/update-object.ts';
import { strategyContext } from '../write/validate-object.ts';

/** `delete` of one object (spec 3.1, 4.10). */
export async function remove(
  context: RegistryContext,
  resource: StoredResource,
  { info, request, user }: ResourceContext,
): Promise<Reply> {
  const key = keyOf(resource, info);
  const query = queryOf(request);
  const form = formOf(request, query, context.negotiator, 'object');
  const options = await readDeleteOptions(request, query, deleteOptionsContext(context));
  const changed = await removeObject(context, resource, {
    key,
    name: info.name,
    options,
    user,
    signal: request.signal,
  });
  if (changed === undefined) throw errors.notFound(subjectOf(resource, info.name));
  const { outcome } = changed;
  if (outcome === 'removed' && resource.type.strategy.deleteReturns === 'Status') {
    const { uid } = metadataOf(changed);
    const details = {
      name: info.name,
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.type.resource,
      ...(uid === undefined ? {} : { uid }),
    };
    return successReply(context, form, { code: 200, details });
  }
  // A client that asked to wait for dependents learns that the object is still there.
  const waits = options.propagation === 'Foreground' || options.orphanDependents === false;
  return changedReply(outcome !== 'removed' && waits ? 202 : 200, resource, changed, form);
}

const metadataOf = ({ json }: Changed): ObjectMeta => (JSON.parse(json.toString()) as ApiObject).metadata;

export const deleteOptionsContext = (context: RegistryContext) => ({
  names: context.names,
  codec: context.auxiliary('meta', 'v1', 'DeleteOptions'),
  protobuf: context.auxiliaryProtobuf('meta', 'v1', 'DeleteOptions'),
  limitBytes: context.limits.bodyBytes,
});

export interface RemoveRequest {
  readonly key: string;
  readonly name: string;
  readonly options: DeleteOptions;
  readonly user: UserInfo;
  readonly signal: AbortSignal;
  /** Through which subresource; the object itself when absent. */
  readonly subresource?: string;
  /** Changes the object before it begins to go, or throws because of its state; called for every state that is tried. */
  readonly prepare?: (object: ApiObject) => void;
}

/** Deletes an object, or starts to; undefined when there is none. */
export function removeObject(
  context: RegistryContext,
  resource: StoredResource,
  { key, name, options, user, signal, subresource = '', prepare }: RemoveRequest,
): Promise<Changed | undefined> {
  refuseProtected(context, resource, name);
  return changeObject(context, resource, {
    key,
    name,
    user,
    admittedAs: { operation: 'DELETE', subresource },
    dryRun: options.dryRun,
    signal,
    evenUnreadable: true,
    decide(current) {
      prepare?.(current.object);
      return removed(context, resource, current, { options, user });
    },
  });
}

/**
 * Decides on a delete: at once, or by a deletion timestamp where finalizers or a grace period hold the object. What is
 * being deleted already may only be given less time.
 */
function removed(
  context: RegistryContext,
  resource: StoredResource,
  current: Current,
  { options, user }: Pick<RemoveRequest, 'options' | 'user'>,
): Change {
  const { object } = current;
  const { metadata } = object;
  checkPreconditions(resource, metadata, options);
  const before = hasDeletionTimestamp(metadata);
  const nowMs = context.env.clock.now();
  const graceChanged = applyGrace(resource, object, options, nowMs);
  const finalizers = finalizersAfter(resource, metadata, options, context.names);
  const finalizersChanged = !sameNames(finalizers, metadata.finalizers ?? []);
  if (finalizers.length > 0) metadata.finalizers = [...finalizers];
  else delete metadata.finalizers;

  const held = finalizers.length > 0 || isHeldByKind(resource, object);
  if (held && !hasDeletionTimestamp(metadata)) {
    metadata.deletionTimestamp = formatTime(nowMs);
    // Kinds with finalizers of their own (namespaces) end by those, not by time.
    if (resource.type.strategy.ownFinalizers === undefined) metadata.deletionGracePeriodSeconds = 0;
  }
  if (!before && hasDeletionTimestamp(metadata) && metadata.generation !== undefined)
    metadata.generation += 1;
  const waits = hasDeletionTimestamp(metadata) && !isReadyToGo(metadata);
  if (held || waits)
    resource.type.strategy.prepareForDelete?.(object, strategyContext(context, resource, user));
  else return asRemoval(changeTo(resource, object, current), current);
  return graceChanged || finalizersChanged || !before
    ? changeTo(resource, object, current)
    : { kind: 'keep' };
}

/** The object goes as it was, whatever was set on the way here. */
const asRemoval = (change: Change, current: Current): Change => ({
  kind: 'remove',
  hub: change.kind === 'remove' ? change.hub : (change.encoded?.hub ?? current.json),
});

function checkPreconditions(
  resource: ServedResource,
  metadata: ObjectMeta,
  { uid, resourceVersion }: DeleteOptions,
): void {
  const subject = subjectOf(resource, metadata.name);
  if (uid !== undefined && uid !== metadata.uid)
    throw errors.conflict(subject, uidMismatch(uid, metadata.uid));
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw errors.conflict(
      subject,
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion ?? ''}`,
    );
  }
}

/** Some 68 years. Clients may ask for more than a timestamp can say. */
const LONGEST_GRACE_SECONDS = 2 ** 31 - 1;

/** Sets or shortens the grace period of kinds that have one. True when that changed something. */
function applyGrace(
  resource: StoredResource,
  object: ApiObject,
  options: DeleteOptions,
  nowMs: number,
): boolean {
  const { metadata } = object;
  const asked = options.gracePeriodSeconds;
  const gracePeriod = resource.type.strategy.gracePeriodSeconds;
  if (hasDeletionTimestamp(metadata)) return shorten(metadata, gracePeriod === undefined ? undefined : asked);
  if (gracePeriod === undefined) return false;
  const seconds = Math.min(LONGEST_GRACE_SECONDS, Math.max(0, gracePeriod(object, asked)));
  if (seconds === 0) return false;
  metadata.deletionTimestamp = formatTime(nowMs + seconds * 1000);
  metadata.deletionGracePeriodSeconds = seconds;
  return true;
}

/** Only less time than is left counts; the timestamp moves by the difference. */
function shorten(metadata: ObjectMeta, asked: number | undefined): boolean {
  const left = metadata.deletionGracePeriodSeconds;
  if (left === undefined || asked === undefined || asked >= left) return false;
  const seconds = Math.max(0, asked);
  const endMs = timeMs(metadata.deletionTimestamp ?? '') ?? 0;
  metadata.deletionTimestamp = formatTime(endMs - (left - seconds) * 1000);
  metadata.deletionGracePeriodSeconds = seconds;
  return true;
}

/** The finalizers that propagation asks for (facts: REST strategies, precedence). */
function finalizersAfter(
  resource: StoredResource,
  metadata: ObjectMeta,
  options: DeleteOptions,
  names: Names,
): readonly string[] {
  const { orphan, foregroundDeletion } = names.finalizers;
  const present = metadata.finalizers ?? [];
  if (resource.type.strategy.expires === true) return present;
  const kept = present.filter((name) => name !== orphan && name !== foregroundDeletion);
  const policy = policyOf(resource, options, present, names);
  if (policy === 'Orphan') return [...kept, orphan];
  return policy === 'Foreground' ? [...kept, foregroundDeletion] : kept;
}

function policyOf(
  resource: StoredResource,
  options: DeleteOptions,
  present: readonly string[],
  names: Names,
): DeleteOptions['propagation'] {
  if (options.propagation !== undefined) return options.propagation;
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (present.includes(names.finalizers.orphan)) return 'Orphan';
  if (present.includes(names.finalizers.foregroundDeletion)) return 'Foreground';
  return resource.type.strategy.orphanByDefault === true ? 'Orphan' : 'Background';
}

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);
