import type { Env } from '@orch/machinery';
import { readOptionalFile, StartError } from '@orch/program';
import { currentStore, type Store, StoreError } from '@orch/storage';
import type { StoreSettings } from '../settings/store-settings.ts';

export interface OpenStoreContext {
  readonly env: Pick<Env, 'clock' | 'log' | 'random'>;
  /** The embedded store's worker, where the program is bundled. */
  readonly workerUrl: URL | undefined;
  readonly signal: AbortSignal;
}

/**
 * Opens the store that the settings name, with the revisions that clients see; only that backend's code is loaded. Throws a
 * `StartError` with the reason, also for a store whose restore has not ended.
 */
export const openStore = (settings: StoreSettings, context: OpenStoreContext): Promise<Store> =>
  withReason(settings, async () => {
    const store = await openBackend(settings, context);
    try {
      return await currentStore(store, settings.storePrefix, context.signal);
    } catch (error) {
      await store.close();
      throw error;
    }
  });

/** Opens the store as it is, for programs that change it as a whole. Throws a `StartError` with the reason. */
export const openRawStore = (settings: StoreSettings, context: OpenStoreContext): Promise<Store> =>
  withReason(settings, () => openBackend(settings, context));

const openBackend = (settings: StoreSettings, context: OpenStoreContext): Promise<Store> =>
  settings.storage === 'etcd' ? openEtcd(settings, context) : openEmbedded(settings, context);

async function withReason(settings: StoreSettings, open: () => Promise<Store>): Promise<Store> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const where =
      settings.storage === 'etcd'
        ? `etcd at ${settings.flags.etcdServers.join(', ')}`
        : settings.flags.dataDir;
    throw new StartError(`cannot open the store (${where}): ${error.message}`);
  }
}

async function openEmbedded({ flags }: StoreSettings, { env, workerUrl }: OpenStoreContext): Promise<Store> {
  const { openEmbeddedStore } = await import('@orch/storage/embedded');
  return openEmbeddedStore({ dir: flags.dataDir, env, ...(workerUrl === undefined ? {} : { workerUrl }) });
}

async function openEtcd(
  { flags, storePrefix }: StoreSettings,
  { env, signal }: OpenStoreContext,
): Promise<Store> {
  const ca = readOptionalFile('etcd-cafile', flags.etcdCaFile);
  const cert = readOptionalFile('etcd-certfile', flags.etcdCertFile);
  const key = readOptionalFile('etcd-keyfile', flags.etcdKeyFile);
  const tls = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  const { openEtcdStore } = await import('@orch/storage/etcd');
  const endpoints = flags.etcdServers;
  return openEtcdStore(
    { endpoints, env, probeKey: storePrefix, ...(Object.keys(tls).length === 0 ? {} : { tls }) },
    signal,
  );
}
