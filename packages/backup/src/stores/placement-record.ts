import type { Random } from '@orch/machinery';
import { isJsonObject, parseJson } from '@orch/machinery/json';
import { makingRoom, placementKeyOf, readable, type Store, StoreError } from '@orch/storage';
import { ensureStoreId } from '../migrate/store-id.ts';

/** A store, as servers have recorded it. */
export interface RecordedStore {
  /** The identifier of the store, which may have several names. */
  readonly storeId: string;
  /** URLs by which servers reach the store; none for the main store. */
  readonly servers: readonly string[];
}

/** The store of a resource. */
export interface Placement extends RecordedStore {
  /** Other stores than the main one from which its objects are being moved. Servers do not start before that has ended. */
  readonly from?: readonly RecordedStore[];
}

/** The stores of the resources that are not in the main store, or were not, by their names in keys. */
export type Placements = Readonly<Record<string, Placement>>;

/** A store, and the resources that are in it instead of in the main store. */
export interface StoreOfResources {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly resources: readonly string[];
  readonly servers: readonly string[];
}

/** The identifiers of stores, the main store first, and the store of each resource among them. */
export async function placementsOf(
  stores: readonly StoreOfResources[],
  prefix: string,
  { random, signal }: { readonly random: Random; readonly signal: AbortSignal },
): Promise<{ readonly ids: readonly string[]; readonly placements: Placements }> {
  const ids = await Promise.all(stores.map(({ store }) => ensureStoreId(store, prefix, { random, signal })));
  const placed = stores.flatMap(({ resources, servers }, i) =>
    resources.map((resource) => [resource, { storeId: ids[i] ?? '', servers }] as const),
  );
  return { ids, placements: Object.fromEntries(placed) };
}

const FORMAT = 1;

/** Reads the record in the main store; without one, all resources are in it. Throws `corrupt` for a damaged record. */
export async function readPlacements(
  main: Pick<Store, 'get'>,
  prefix: string,
  signal: AbortSignal,
): Promise<Placements> {
  const { kv } = await main.get(placementKeyOf(prefix), signal);
  if (kv === undefined) return {};
  const record = parseJson(readable(kv).value);
  const resources = isJsonObject(record) && record['format'] === FORMAT ? record['resources'] : undefined;
  if (!isPlacements(resources))
    throw new StoreError(
      'corrupt',
      `the record of the stores of resources (${kv.key}) is damaged, or of a later version`,
    );
  return resources;
}

const isPlacements = (value: unknown): value is Placements =>
  isJsonObject(value) &&
  Object.values(value).every(
    (one) =>
      isStore(one) &&
      (one['from'] === undefined || (Array.isArray(one['from']) && one['from'].every(isStore))),
  );

const isStore = (value: unknown): value is RecordedStore & Readonly<Record<string, unknown>> =>
  isJsonObject(value) && typeof value['storeId'] === 'string' && Array.isArray(value['servers']);

/** Replaces the record; does nothing when it is the same. False when another program has just written another one. */
export async function writePlacements(
  main: Pick<Store, 'get' | 'commit'>,
  prefix: string,
  { placements, signal }: { readonly placements: Placements; readonly signal: AbortSignal },
): Promise<boolean> {
  const key = placementKeyOf(prefix);
  const value = Buffer.from(JSON.stringify({ format: FORMAT, resources: placements }));
  const { kv } = await main.get(key, signal);
  if (kv === undefined && Object.keys(placements).length === 0) return true;
  if (kv !== undefined && readable(kv).value.equals(value)) return true;
  const write = makingRoom(
    kv === undefined ? { op: 'create', key, value } : { op: 'update', key, value, expected: kv.modRevision },
  );
  const committed = await main.commit(write, signal);
  return committed.ok || readable(committed.current)?.value.equals(value) === true;
}
