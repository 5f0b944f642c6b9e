import { type ApiObject, errors, hasDeletionTimestamp, type ObjectMeta } from '@orch/machinery';
import { formatTime } from '@orch/machinery/time';
import type { Trace, UserInfo } from '@orch/request';
import type { WritePath } from '../context/paths.ts';
import { type DeleteOptions, deleteOptionsObject } from '../request/delete-options.ts';
import { addWarnings } from '../request/reply.ts';
import { IGNORES_READ_ERRORS } from '../request/unsafe-deletion.ts';
import { type ServedResource, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import type { Change, Changed, Current } from './change.ts';
import { changeObject } from './change-object.ts';
import { applyGracePeriod, deletionFinalizers, sameNames } from './rules/deletion-state.ts';
import { isDeletable, uidMismatch } from './rules/object-meta.ts';
import { strategyContextOf } from './rules/validate-object.ts';
import { changeTo, encodedState, isHeldByKind } from './update-object.ts';

export interface DeleteObjectOptions {
  readonly key: string;
  readonly name: string;
  readonly options: DeleteOptions;
  readonly user: UserInfo;
  readonly signal: AbortSignal;
  /** The user of the request; absent for deletions by the server itself. */
  readonly trace?: Trace | undefined;
  /** The deletion is part of a write that was admitted. */
  readonly isAdmitted?: boolean;
  /** Changes the object before its deletion starts, or refuses its state by throwing; called for each attempt. */
  readonly prepare?: (object: ApiObject) => void;
  /** The reply contains an object whose deletion is only started: its conversion must succeed before it is written. */
  readonly replies?: boolean;
}

/** Deletes an object or starts its deletion; undefined when it does not exist. Throws where its kind forbids the deletion. */
export async function deleteObject(
  path: WritePath,
  resource: StoredResource,
  deletion: DeleteObjectOptions,
): Promise<Changed | undefined> {
  const { key, name, options, user, signal, trace, prepare } = deletion;
  const { isAdmitted = false, replies = false } = deletion;
  const refusal = resource.type.strategy.refuseDelete?.(name);
  if (refusal !== undefined) throw errors.forbidden(subjectOf(resource, name), refusal);
  let isMark = false;
  const changed = await changeObject(path, resource, {
    key,
    name,
    user,
    admittedAs: isAdmitted ? 'nothing' : { operation: 'DELETE', subresource: '' },
    dryRun: options.dryRun,
    signal,
    trace,
    requestOptions: deleteOptionsObject(options, path.names),
    evenUnreadable: options.ignoresReadErrors,
    async decide(current) {
      isMark = false;
      if (current.isPlaceholder) return { kind: 'remove', hub: current.json };
      if (options.ignoresReadErrors)
        throw errors.conflict(
          subjectOf(resource, name),
          `it can be read; delete it without ${IGNORES_READ_ERRORS}`,
        );
      prepare?.(current.object);
      const change = await decideDelete(path, resource, current, { options, user });
      isMark = change.kind === 'write' && isDeletable(current.object.metadata);
      if (replies && change.kind === 'write' && resource.type.objectConverter !== undefined)
        resource.converter.convertJson(change.encoded.hub);
      return change;
    },
  });
  if (!isMark || changed === undefined) return changed;
  return options.dryRun
    ? { ...changed, outcome: 'removed' }
    : removeMarked(path, resource, deletion, changed);
}

/** Warns of a deletion that orphans objects although the request does not say so. */
export function warnOfOrphans(
  { type, codec }: StoredResource,
  { propagation, orphanDependents }: DeleteOptions,
  trace: Trace,
): void {
  const { deletionWarning } = type.strategy;
  if (deletionWarning === undefined || propagation !== undefined || orphanDependents !== undefined) return;
  if (codec.since(deletionWarning.since)) addWarnings(trace, [deletionWarning.text]);
}

/** Removes an object whose deletion has been written. If another request has removed it meanwhile, the result is the same. */
async function removeMarked(
  path: WritePath,
  resource: StoredResource,
  { key, name, user, signal, trace }: DeleteObjectOptions,
  marked: Changed,
): Promise<Changed> {
  const removed = await changeObject(path, resource, {
    ...{ key, name, user, signal, trace },
    admittedAs: 'nothing',
    dryRun: false,
    // It is kept if it is another one of the same name.
    decide: (current) => changeTo(path, resource, current.object, current),
  });
  return removed?.outcome === 'removed' ? removed : { ...marked, outcome: 'removed' };
}

/**
 * Removes the object, or sets a deletion timestamp when finalizers or a grace period delay its removal. The grace period of
 * an object that is being deleted already can only be shortened.
 */
async function decideDelete(
  path: WritePath,
  resource: StoredResource,
  current: Current,
  { options, user }: Pick<DeleteObjectOptions, 'options' | 'user'>,
): Promise<Change> {
  const { object } = current;
  const { metadata } = object;
  const { strategy } = resource.type;
  checkPreconditions(resource, metadata, options);
  const before = hasDeletionTimestamp(metadata);
  const nowMs = path.env.clock.now();
  const graceChanged = applyGracePeriod(resource, object, options, nowMs);
  const finalizers = deletionFinalizers(resource, metadata, options, path.names);
  const finalizersChanged = !sameNames(finalizers, metadata.finalizers ?? []);
  if (finalizers.length > 0) metadata.finalizers = [...finalizers];
  else delete metadata.finalizers;

  const held = finalizers.length > 0 || isHeldByKind(resource, object);
  if (held && !hasDeletionTimestamp(metadata)) {
    metadata.deletionTimestamp = formatTime(nowMs);
    // The removal of kinds with own finalizers (namespaces) depends on those, not on time.
    if (strategy.ownFinalizers === undefined && strategy.onlyMarksDeletion !== true)
      metadata.deletionGracePeriodSeconds = 0;
  }
  const countsDeletion = !before && strategy.onlyMarksDeletion !== true;
  if (countsDeletion && hasDeletionTimestamp(metadata) && metadata.generation !== undefined)
    metadata.generation += 1;
  const waits = hasDeletionTimestamp(metadata) && !isDeletable(metadata);
  if (held || waits) strategy.prepareForDelete?.(object, strategyContextOf(path, resource, user));
  // Watchers of a kind with grace periods see the deletion before the removal, as controllers expect that react to the former.
  else if (graceChanged)
    return { kind: 'write', encoded: await encodedState(path, resource, object, current) };
  else return asRemoval(await changeTo(path, resource, object, current), current);
  return graceChanged || finalizersChanged || !before
    ? changeTo(path, resource, object, current)
    : { kind: 'keep' };
}

/** Removes the object, regardless of changes that were made to it here. */
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
