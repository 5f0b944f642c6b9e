import type { PartialStore } from '@orch/backup';
import { internalKey } from '@orch/registry';
import { historyPrefixOf, type MovableStore, RoutedStore, type Store, type StoreRoute } from '@orch/storage';
import type { StoreOverride } from '../settings/store-overrides.ts';

/** A store of a server. */
export interface ServerStore {
  /** The resources in it; undefined for the main store, which has all others. */
  readonly override: StoreOverride | undefined;
  /** The store that migrations move. */
  readonly movable: MovableStore;
  /** Measured and traced, with values as they are stored. */
  readonly storedBytes: Store;
  /** With values as the server reads them: encrypted ones are decrypted. */
  readonly store: Store;
}

/** All stores of a server, the main store first. */
export type ServerStores = readonly [ServerStore, ...ServerStore[]];

/** The store of each key. The main store alone has no router in front of it. */
export function routedStore([main, ...others]: ServerStores, prefix: string): Store {
  return others.length === 0 ? main.store : new RoutedStore(main.store, routesOf(others, prefix));
}

/** Reports whether two keys are in the same store, so that their revisions can be compared. */
export const areInOneStore = (store: Store, key: string, other: string): boolean =>
  !(store instanceof RoutedStore) || store.storeOf(key) === store.storeOf(other);

/** A store, and the resources in it. */
type Placed = Pick<ServerStore, 'store' | 'override'>;

/** The stores of resources, with the prefixes of their keys. */
export const routesOf = (others: readonly Placed[], prefix: string): readonly StoreRoute[] =>
  others.map(({ store, override }) => ({
    store,
    prefixes: (override?.resources ?? []).flatMap((resource) => prefixesOf(resource, prefix)),
  }));

/** The number of the store of a key, of which the main store has 0. */
export const numberOfStore = (routes: readonly Pick<StoreRoute, 'prefixes'>[], key: string): number =>
  routes.findIndex(({ prefixes }) => prefixes.some((prefix) => key.startsWith(prefix))) + 1;

/** The stores with the keys that are their own, for backups. */
export function partialStores(
  stores: readonly [Placed, ...Placed[]],
  prefix: string,
): readonly (PartialStore & Pick<Placed, 'store'>)[] {
  const [main, ...others] = stores;
  const routed = new RoutedStore(main.store, routesOf(others, prefix));
  return stores.map((one) => ({ store: one.store, owns: (key) => routed.storeOf(key) === one.store }));
}

/** The prefixes of the objects of a resource, of their history, and of what is in the same transactions. */
function prefixesOf(resource: string, prefix: string): readonly string[] {
  const objects = [`${prefix}${resource}/`, `${historyPrefixOf(prefix)}${resource}/`];
  return resource === 'resourcequotas' ? [...objects, internalKey(prefix, 'quotas/')] : objects;
}
