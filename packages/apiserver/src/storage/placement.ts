import { type Placements, placementsOf, readPlacements, writePlacements } from '@orch/backup';
import { type Env, messageOf } from '@orch/machinery';
import { StartError } from '@orch/program';
import { internalKey } from '@orch/registry';
import { compareKeys, type KeyRange, placementKeyOf, prefixRange, type Store } from '@orch/storage';
import type { StoreOverride } from '../settings/store-overrides.ts';
import { isWriteRefused } from './refused-writes.ts';
import type { ServerStores } from './server-stores.ts';

interface PlacementParts {
  readonly prefix: string;
  readonly env: Pick<Env, 'log' | 'random'>;
}

const REMEDY =
  'stop all servers and run "orch migrate --by-resource" with the flags about stores that the servers will have';

/**
 * Rejects with a `StartError` when objects would not be found: a store has objects of a resource that is in another one, or
 * the objects of a resource were stored elsewhere before. Records the stores of resources in the main store.
 */
export async function checkPlacement(
  stores: ServerStores,
  { prefix, env }: PlacementParts,
  signal: AbortSignal,
): Promise<void> {
  const [{ movable: main }, ...others] = stores;
  const recorded = await readPlacements(main, prefix, signal);
  if (others.length === 0 && Object.keys(recorded).length === 0) return;
  const { placements, mainId } = await placementsIn(stores, { prefix, env }, signal);
  if (Object.values(recorded).some(({ from }) => from !== undefined))
    throw new StartError(
      'objects are being moved to other stores: run "orch migrate --by-resource" again with the same flags, until it has ended',
    );
  const moved = Object.entries(recorded).filter(
    ([resource, { storeId }]) => (placements[resource]?.storeId ?? mainId) !== storeId,
  );
  if (moved.length > 0) {
    const texts = moved.map(
      ([resource, { servers }]) =>
        `${resource} ${placeText(servers)} and not ${placeText(placements[resource]?.servers ?? [])}`,
    );
    throw new StartError(
      `servers have stored ${texts.join(', ')}, where this one would look for them: correct --etcd-servers-overrides, or ${REMEDY}; if these objects are not needed, delete the key ${placementKeyOf(prefix)} in the main store`,
    );
  }
  const found = await misplacedKeys(stores, prefix, signal);
  if (found.length > 0)
    throw new StartError(
      `objects are in other stores than those of --etcd-servers-overrides, where servers would not find them: ${found.join('; ')}: ${REMEDY}`,
    );
  try {
    if (await writePlacements(main, prefix, { placements, signal })) return;
    throw new StartError(
      'another server that starts has recorded other stores of resources: give all servers the same --etcd-servers-overrides, and start again',
    );
  } catch (error) {
    if (signal.aborted || !isWriteRefused(error)) throw error;
    // The next start records them.
    env.log.warn('the stores of resources cannot be recorded: the store does not accept writes', {
      error: messageOf(error),
    });
  }
}

const placeText = (servers: readonly string[]): string =>
  servers.length === 0 ? 'in the main store' : `in etcd at ${servers.join(', ')}`;

/** The store of each resource that is not in the main store. Throws a `StartError` when two stores are the same. */
async function placementsIn(
  stores: ServerStores,
  { prefix, env: { random } }: PlacementParts,
  signal: AbortSignal,
): Promise<{ readonly placements: Placements; readonly mainId: string }> {
  const placed = stores.map(({ movable, override }) => ({
    store: movable.place.backend.store,
    resources: override?.resources ?? [],
    servers: override?.servers ?? [],
  }));
  const { ids, placements } = await placementsOf(placed, prefix, { random, signal });
  const nameOf = (i: number): string => stores[i]?.movable.place.backend.name ?? '';
  for (const [i, id] of ids.entries())
    if (ids.indexOf(id) < i)
      throw new StartError(
        `${nameOf(i)} is the same store as ${nameOf(ids.indexOf(id))}: name the same servers in --etcd-servers and --etcd-servers-overrides`,
      );
  return { placements, mainId: ids[0] ?? '' };
}

/** Keys of resources that are in another store, for messages. */
async function misplacedKeys(
  stores: ServerStores,
  prefix: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await Promise.all(
    stores.map(async (one) => {
      const pages = await Promise.all(
        foreignRanges(one.override, stores, prefix).map((range) => firstKey(one.movable, range, signal)),
      );
      return pages.flatMap((page) =>
        page === undefined
          ? []
          : [`${one.movable.place.backend.name} has ${page.count} keys from ${page.key} on`],
      );
    }),
  );
  return found.flat();
}

async function firstKey(
  store: Store,
  range: KeyRange,
  signal: AbortSignal,
): Promise<{ readonly key: string; readonly count: number } | undefined> {
  const { items, count } = await store.list(range, { limit: 1, keysOnly: true }, signal);
  const [first] = items;
  return first === undefined ? undefined : { key: first.key, count };
}

/** The ranges of keys below the prefix of which the store of an override, or the main store, has none. */
export function foreignRanges(
  override: StoreOverride | undefined,
  stores: readonly { readonly override: StoreOverride | undefined }[],
  prefix: string,
): readonly KeyRange[] {
  const rangeOf = (resource: string): KeyRange => prefixRange(`${prefix}${resource}/`);
  if (override === undefined)
    return stores.flatMap((other) => (other.override?.resources ?? []).map(rangeOf));
  const whole = prefixRange(prefix);
  const own = [...override.resources.map(rangeOf), prefixRange(internalKey(prefix, ''))].sort((a, b) =>
    compareKeys(a.start, b.start),
  );
  const starts = [whole.start, ...own.map(({ end }) => end)];
  return starts.map((start, i) => ({ start, end: own[i]?.start ?? whole.end }));
}
