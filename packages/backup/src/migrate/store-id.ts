import type { Random } from '@orch/machinery';
import { readable, type Store, StoreError } from '@orch/storage';

/** Beside the keys of the registry, so that it is neither moved nor in a backup; writes need no precondition on it. */
const storeIdKey = (prefix: string): string => `${prefix.replace(/\/$/, '')}~store-id`;

/** The identifier that distinguishes a store from all others, whatever its endpoints or folder are called; undefined before its first migration. */
export async function readStoreId(
  store: Pick<Store, 'get'>,
  prefix: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { kv } = await store.get(storeIdKey(prefix), signal);
  return readable(kv)?.value.toString();
}

/** As `readStoreId`; a store that has no identifier gets a random one. */
export async function ensureStoreId(
  store: Pick<Store, 'get' | 'commit'>,
  prefix: string,
  { random, signal }: { readonly random: Random; readonly signal: AbortSignal },
): Promise<string> {
  const known = await readStoreId(store, prefix, signal);
  if (known !== undefined) return known;
  const id = random.uuid();
  const { ok } = await store.commit(
    { op: 'create', key: storeIdKey(prefix), value: Buffer.from(id) },
    signal,
  );
  const found = ok ? id : await readStoreId(store, prefix, signal);
  if (found !== undefined) return found;
  throw new StoreError('unavailable', 'the identifier of the store was deleted');
}
