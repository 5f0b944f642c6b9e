import type { WriteGuard } from '@orch/apis';
import { ApiError, type Clock, errors, type Names } from '@orch/machinery';
import { addStep, type Trace } from '@orch/request';
import {
  type Committed,
  makingRoom,
  type SideWrites,
  type Store,
  StoreError,
  type StoreErrorCode,
  type Write,
} from '@orch/storage';
import type { WritePath } from '../context/paths.ts';
import type { Threads } from '../context/threads.ts';
import type { RecentWrites } from '../resource/cached-resource.ts';
import type { ChangeRecorder } from '../resource/change-recorder.ts';
import type { ObjectCommitter, ObjectWrite } from '../resource/object-committer.ts';
import type { ResourceTable } from '../resource/resource-table.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import type { PendingWrite } from '../resource/write-hooks.ts';
import { isQuota, markingQuotas } from './quota-marks.ts';
import { knownToThreads } from './rules-in-threads.ts';

/** The dependencies of the decorators of a committer. */
export interface CommitterParts
  extends Pick<WritePath, 'env' | 'limits' | 'names' | 'recorder' | 'storePrefix' | 'table'> {
  readonly store: Store;
  /** Receives the written objects, for the cache that shares them. */
  readonly recentWrites: RecentWrites | undefined;
  /** The threads of the process; undefined when it has one. */
  readonly threads: Threads | undefined;
}

/**
 * The committer of all objects, in the order in which its decorators see a write. A fenced request has a committer whose
 * store adds the guard of the Lease.
 */
export function objectCommitter(parts: CommitterParts): ObjectCommitter {
  let committer: ObjectCommitter = { commit: ({ signal }, write) => parts.store.commit(write, signal) };
  committer = guarded(committer, parts.table);
  committer = markingQuotas(committer, parts.storePrefix);
  committer = measured(committer, parts.env.clock);
  committer = finishing(committer);
  if (parts.recentWrites !== undefined) committer = sharing(committer, parts.recentWrites);
  if (parts.recorder !== undefined) committer = recording(committer, parts.recorder);
  committer = withRoom(committer, parts.names);
  if (parts.limits.expirySeconds > 0) committer = withTtl(committer, parts.limits.expirySeconds);
  if (parts.threads !== undefined) committer = knownToThreads(committer, parts.threads);
  return committer;
}

/** Writes an object, or removes it. */
export const commitObject = (committer: ObjectCommitter, object: ObjectWrite): Promise<Committed> =>
  committer.commit(object, storeWriteOf(object));

function storeWriteOf({ resource, key: ownKey, expected, next }: ObjectWrite): Write {
  const key = resource.keyPrefix + ownKey;
  if (next === undefined) {
    if (expected === undefined) throw new TypeError('a write has neither an old nor a new state');
    return { op: 'delete', key, expected };
  }
  const { value } = next;
  return expected === undefined ? { op: 'create', key, value } : { op: 'update', key, expected, value };
}

/** Sets the time to live of objects that expire, which is counted from their last write. */
const withTtl = (next: ObjectCommitter, ttlSeconds: number): ObjectCommitter => ({
  commit: (object, write) =>
    write.op !== 'delete' && object.resource.type.strategy.expires === true
      ? next.commit(object, { ...write, ttlSeconds })
      : next.commit(object, write),
});

/** Marks the updates that a full store still accepts. */
const withRoom = (next: ObjectCommitter, names: Names): ObjectCommitter => ({
  commit: (object, write) => next.commit(object, makesRoom(object, names) ? makingRoom(write) : write),
});

/**
 * Updates that free space: the steps of a deletion, objects that become smaller (removed owner references), and the Leases
 * that controllers need to delete anything.
 */
function makesRoom({ resource: { type }, old, next }: ObjectWrite, names: Names): boolean {
  if (old === undefined || next === undefined) return false;
  const injected = `"resourceVersion":"${old.rev}",`.length;
  return (
    next.object.metadata?.deletionTimestamp !== undefined ||
    // The mark of a quota needs room.
    (!isQuota(type) && next.hub.length + injected < old.json.length) ||
    (type.resource === 'leases' && type.group === names.group('coordination'))
  );
}

/** Records each write in the history of its object, in the same transaction. */
const recording = (next: ObjectCommitter, recorder: ChangeRecorder): ObjectCommitter => ({
  commit: (object, write) => next.commit(object, recorded(recorder, object, write)),
});

function recorded(recorder: ChangeRecorder, object: ObjectWrite, write: Write): Write & SideWrites {
  const { resource, key, old, expected, next, user, trace } = object;
  // The state could not be found: the write fails, because the object has changed.
  if (expected !== undefined && old === undefined) return write;
  const also = recorder.sidesOf({
    resource,
    key,
    old,
    next: next === undefined ? undefined : { uid: next.object.metadata.uid ?? '', bytes: next.value.length },
    user,
    trace,
  });
  return also === undefined ? write : { ...write, also };
}

/** Keeps each written object for the cache, which then need not decode it again. */
const sharing = (next: ObjectCommitter, recentWrites: RecentWrites): ObjectCommitter => ({
  commit(object, write) {
    if (object.next !== undefined) recentWrites.put(write.key, object.next);
    return next.commit(object, write);
  },
});

/** Failures after which it is certain that nothing was written. */
const NOT_WRITTEN: ReadonlySet<StoreErrorCode> = new Set(['unavailable', 'full', 'tooLarge']);

const isUnwritten = (error: unknown, signal: AbortSignal): boolean =>
  error instanceof StoreError
    ? NOT_WRITTEN.has(error.code)
    : error instanceof ApiError || (signal.aborted && error === signal.reason);

/**
 * Finishes the side effects of a write, unless its outcome is unknown: for example, releases the quota that was charged
 * for it.
 */
const finishing = (next: ObjectCommitter): ObjectCommitter => ({
  commit: (object, write) =>
    object.pending === undefined
      ? next.commit(object, write)
      : commitAndFinish(next, object, { write, pending: object.pending }),
});

async function commitAndFinish(
  next: ObjectCommitter,
  object: ObjectWrite,
  { write, pending }: { readonly write: Write; readonly pending: PendingWrite },
): Promise<Committed> {
  let committed: Committed;
  try {
    committed = await next.commit(object, write);
  } catch (error) {
    if (isUnwritten(error, object.signal)) await pending.finish(false);
    throw error;
  }
  await pending.finish(committed.ok);
  return committed;
}

/** Reports the written object, and the duration of the transaction as a step, to the trace of the request. */
const measured = (next: ObjectCommitter, clock: Pick<Clock, 'monotonic'>): ObjectCommitter => ({
  commit: (object, write) =>
    object.trace === undefined
      ? next.commit(object, write)
      : commitMeasured({ next, clock }, object, { write, trace: object.trace }),
});

async function commitMeasured(
  { next, clock }: { readonly next: ObjectCommitter; readonly clock: Pick<Clock, 'monotonic'> },
  object: ObjectWrite,
  { write, trace }: { readonly write: Write; readonly trace: Trace },
): Promise<Committed> {
  const began = clock.monotonic();
  let refused = true;
  try {
    const committed = await next.commit(object, write);
    refused = !committed.ok;
    if (committed.ok && write.op !== 'delete')
      trace.written = { name: object.name, resourceVersion: String(committed.rev) };
    return committed;
  } finally {
    addStep(trace, { stage: 'store', name: write.op, ms: clock.monotonic() - began, refused });
  }
}

/** Maximum attempts of a write whose guard fails because the definition of its resource changes meanwhile. */
const MAX_ATTEMPTS = 5;

/**
 * Writes objects in the storage version of their resource, and only while the definition of the resource is the known
 * one. A failed guard means that this replica does not have the latest state of the definition: once it has, the write
 * is retried or refused.
 */
function guarded(next: ObjectCommitter, table: ResourceTable): ObjectCommitter {
  return {
    commit(object, write) {
      // A removal needs no definition.
      if (write.op === 'delete') return next.commit(object, write);
      const { writeGuard } = object.resource.type;
      if (writeGuard !== undefined) return commitGuarded({ next, table }, object, { write, writeGuard });
      checkStorageVersion(table, object.resource);
      return next.commit(object, write);
    },
  };
}

interface GuardedWrite {
  readonly write: Write & { readonly op: 'create' | 'update' };
  readonly writeGuard: WriteGuard;
}

async function commitGuarded(
  { next, table }: { readonly next: ObjectCommitter; readonly table: ResourceTable },
  object: ObjectWrite,
  { write, writeGuard }: GuardedWrite,
): Promise<Committed> {
  for (let attempt = 1; ; attempt++) {
    checkStorageVersion(table, object.resource);
    const committed = await next.commit(object, { ...write, guards: [writeGuard.current(write.op)] });
    if (committed.ok || committed.guardFailed !== true) return committed;
    await writeGuard.renew(object.signal);
    if (attempt === MAX_ATTEMPTS) {
      writeGuard.current(write.op);
      throw errors.serviceUnavailable('the definition of the resource changes too often; please try again');
    }
  }
}

/**
 * Throws when the definition of a custom resource has changed since the request began, and the object would be stored
 * in a version that can be removed from it: a 503 when the storage version has changed, a 404 when the version of the
 * request no longer exists.
 */
function checkStorageVersion(table: ResourceTable, resource: StoredResource): void {
  const { group, version, type, storageCodec } = resource;
  const served = table.find(group, version, type.resource);
  if (served === undefined && type.writeGuard !== undefined) throw errors.resourceNotFound();
  if (served === undefined || served.storageCodec.apiVersion === storageCodec.apiVersion) return;
  throw errors.serviceUnavailable(
    `the storage version of ${type.resource}.${group} has changed while the request was processed; please try again`,
  );
}
