import type { Random } from '@orch/machinery';
import {
  changeRecord,
  currentStore,
  type KeyRange,
  prefixRange,
  type Revision,
  readStoreRecord,
  type Store,
  storeRecordKey,
} from '@orch/storage';
import { BackupError } from '../backup-error.ts';
import { type Entry, entriesOfPart } from '../format/entry.ts';
import { ensureStoreId } from '../migrate/store-id.ts';
import { CommitQueue } from '../restore/commit-queue.ts';
import {
  type Placement,
  type Placements,
  placementsOf,
  type RecordedStore,
  readPlacements,
  writePlacements,
} from './placement-record.ts';

/** A store of a server, which none uses now. */
export interface IdleStore {
  /** Without translated revisions. */
  readonly store: Store;
  /** For messages. */
  readonly name: string;
  /** URLs by which servers reach it; none for the main store. */
  readonly servers: readonly string[];
  /** The resources in it, by their names in keys; undefined for the main store, which has all others. */
  readonly resources: readonly string[] | undefined;
  /** The ranges of keys below the prefix of which it should have none. */
  readonly foreign: readonly KeyRange[];
}

export interface MoveOptions {
  /** All stores, the main store first. */
  readonly stores: readonly [IdleStore, ...IdleStore[]];
  /** Opens an earlier store of a resource, which is not among `stores`. */
  readonly openEarlier: (servers: readonly string[]) => Promise<IdleStore>;
  readonly prefix: string;
  /** The store of a key: its position in `stores`. */
  readonly ownerOf: (key: string) => number;
  /** Keys with this prefix, without that of the store, belong to running servers. */
  readonly serverKeys: string;
  readonly random: Random;
  readonly onProgress?: (moved: number) => void;
}

/** The moved keys of one pair of stores. */
export interface MovedKeys {
  readonly from: string;
  readonly to: string;
  readonly keys: number;
}

/** The part of the distance between revisions that clients can have seen beyond the last write, by keys that expire. */
const REVISION_GAP = 1_000_000;

/**
 * Moves all objects to the stores that have their resources now, while no server runs. May be stopped at any time and repeated:
 * servers do not start in between. Revisions of stores that receive objects are then beyond all that clients can have seen, and
 * earlier ones are compacted.
 */
export async function moveObjects(options: MoveOptions, signal: AbortSignal): Promise<readonly MovedKeys[]> {
  const { stores, prefix } = options;
  const [main] = stores;
  await refuseServers(main, options, signal);
  const view = await currentStore(main.store, prefix, signal);
  const recorded = await readPlacements(view, prefix, signal);
  const placed = stores.map(({ store, servers, resources = [] }) => ({ store, servers, resources }));
  const { ids, placements } = await placementsOf(placed, prefix, { ...options, signal });
  const targets = targetsOf({ recorded, placements, mainId: ids[0] ?? '' });
  const earlier = await openAllEarlier(targets, ids, options, signal);
  try {
    // Servers do not start from here on, with any flags.
    await record(view, prefix, { placements: targets, signal });
    const moved: MovedKeys[] = [];
    for (const from of [...stores, ...earlier]) moved.push(...(await moveFrom(from, options, signal)));
    await record(view, prefix, { placements: withoutSources(targets), signal });
    return moved;
  } finally {
    await Promise.all(earlier.map(({ store }) => store.close()));
  }
}

async function record(...parameters: Parameters<typeof writePlacements>): Promise<void> {
  if (await writePlacements(...parameters)) return;
  throw new BackupError('refused', 'another program has changed the record of the stores of resources');
}

async function refuseServers(
  { store }: IdleStore,
  { prefix, serverKeys }: MoveOptions,
  signal: AbortSignal,
): Promise<void> {
  const { count } = await store.list(prefixRange(prefix + serverKeys), { limit: 1, keysOnly: true }, signal);
  if (count === 0) return;
  throw new BackupError(
    'refused',
    'a server uses the store: stop all servers first; servers that were killed are forgotten after some seconds',
  );
}

/** Opens the stores from which objects are moved, and which are not among those of the flags. */
async function openAllEarlier(
  targets: Placements,
  ids: readonly string[],
  { openEarlier, prefix, random }: MoveOptions,
  signal: AbortSignal,
): Promise<readonly IdleStore[]> {
  const opened = new Map<string, IdleStore>();
  try {
    const sources = Object.entries(targets).flatMap(([resource, { from = [] }]) =>
      from.map((source) => ({ ...source, resource })),
    );
    for (const { storeId, servers, resource } of sources) {
      if (ids.includes(storeId) || opened.has(storeId)) continue;
      const earlier = await openEarlier(servers);
      opened.set(storeId, earlier);
      const found = await ensureStoreId(earlier.store, prefix, { random, signal });
      if (found !== storeId)
        throw new BackupError(
          'refused',
          `${earlier.name} is not the store in which servers have stored ${resource}`,
        );
    }
    return [...opened.values()];
  } catch (error) {
    await Promise.all([...opened.values()].map(({ store }) => store.close()));
    throw error;
  }
}

interface Planned {
  readonly recorded: Placements;
  readonly placements: Placements;
  readonly mainId: string;
}

/**
 * The record of the moves: the new store of each resource, and those where its objects may be. Resources that return to the main
 * store are in it, so that servers with earlier flags do not start.
 */
function targetsOf({ recorded, placements, mainId }: Planned): Placements {
  const placed = new Map<string, RecordedStore>();
  for (const resource of Object.keys(recorded)) placed.set(resource, { storeId: mainId, servers: [] });
  for (const [resource, store] of Object.entries(placements)) placed.set(resource, store);
  return Object.fromEntries(
    [...placed].map(([resource, store]) => {
      const { from = [], ...before }: Placement = recorded[resource] ?? store;
      const sources = [...from, before].filter(
        ({ storeId }) => storeId !== store.storeId && storeId !== mainId,
      );
      return [resource, { ...store, from: sources }];
    }),
  );
}

const withoutSources = (targets: Placements): Placements =>
  Object.fromEntries(
    Object.entries(targets).map(([resource, { from: _sources, ...store }]) => [resource, store]),
  );

async function moveFrom(
  from: IdleStore,
  options: MoveOptions,
  signal: AbortSignal,
): Promise<readonly MovedKeys[]> {
  const { stores, prefix, ownerOf } = options;
  const moved: MovedKeys[] = [];
  const source = await currentStore(from.store, prefix, signal);
  for (const [i, to] of stores.entries()) {
    if (to.store === from.store) continue;
    const isMoved = (entry: Entry): boolean => ownerOf(prefix + entry.key) === i;
    if (!(await hasAny(source, from, { prefix, isMoved, signal }))) continue;
    await raiseRevisions(to.store, prefix, { above: await source.currentRevision(signal), signal });
    const target = await currentStore(to.store, prefix, signal);
    const keys = await copyAndDelete({ source, target, from, to, isMoved }, options, signal);
    await target.compact(await target.currentRevision(signal), signal);
    moved.push({ from: from.name, to: to.name, keys });
  }
  return moved;
}

interface Selection {
  readonly prefix: string;
  readonly isMoved: (entry: Entry) => boolean;
  readonly signal: AbortSignal;
}

/** The entries of a store that belong to another one. */
async function* misplaced(
  source: Store,
  { foreign }: IdleStore,
  { prefix, isMoved, signal }: Selection,
): AsyncGenerator<Entry> {
  for (const range of foreign)
    for await (const part of source.scan(range, { withTtl: true }, signal))
      for (const entry of entriesOfPart(part, prefix)) if (isMoved(entry)) yield entry;
}

async function hasAny(source: Store, from: IdleStore, selection: Selection): Promise<boolean> {
  for await (const _entry of misplaced(source, from, selection)) return true;
  return false;
}

/** Continues the revisions of a store above another one, as after a restore. */
async function raiseRevisions(
  store: Store,
  prefix: string,
  { above, signal }: { readonly above: Revision; readonly signal: AbortSignal },
): Promise<void> {
  const current = await (await currentStore(store, prefix, signal)).currentRevision(signal);
  const missing = above + REVISION_GAP - current;
  if (missing <= 0) return;
  // No revision may have two meanings: those of before are no longer readable.
  await store.compact(await store.currentRevision(signal), signal);
  const key = storeRecordKey(prefix);
  const from = await readStoreRecord(store, key, signal);
  const to = { ...from.record, revisionOffset: from.record.revisionOffset + missing };
  await changeRecord(store, key, { from, to, signal });
}

interface Move {
  readonly source: Store;
  readonly target: Store;
  readonly from: IdleStore;
  readonly to: IdleStore;
  readonly isMoved: (entry: Entry) => boolean;
}

/** Copies all keys, then deletes them where they were. Returns their number. */
async function copyAndDelete(
  { source, target, from, to, isMoved }: Move,
  { prefix, onProgress }: MoveOptions,
  signal: AbortSignal,
): Promise<number> {
  const selection = { prefix, isMoved, signal };
  const created = new CommitQueue(target, signal);
  let keys = 0;
  try {
    for await (const { key, value, ttlSeconds } of misplaced(source, from, selection)) {
      const present = (await target.get(prefix + key, signal)).kv;
      if (present === undefined)
        await created.push({
          op: 'create',
          key: prefix + key,
          value,
          ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
        });
      else if (present.value?.equals(value) !== true)
        throw new BackupError(
          'refused',
          `${from.name} and ${to.name} have different objects with the key ${prefix + key}: delete one of them`,
        );
      keys++;
      onProgress?.(keys);
    }
    await created.finish();
  } finally {
    await created.settled();
  }
  const deleted = new CommitQueue(source, signal);
  try {
    for await (const { key, modRevision: expected } of misplaced(source, from, selection))
      await deleted.push({ op: 'delete', key: prefix + key, expected });
    await deleted.finish();
  } finally {
    await deleted.settled();
  }
  return keys;
}
