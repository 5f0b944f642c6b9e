import type { Env } from '@orch/machinery';
import { readOptionalFile, StartError } from '@orch/program';
import { type Store, StoreError } from '@orch/storage';
import type { Settings } from '../settings/settings.ts';

export interface OpenStoreContext {
  readonly env: Env;
  /** The embedded store's worker, where the program is bundled. */
  readonly workerUrl: URL | undefined;
  readonly signal: AbortSignal;
}

/**
 * Opens the store that the settings name; only that backend's code is loaded. Throws a `StartError` with the reason.
 */
export async function openStore(settings: Settings, context: OpenStoreContext): Promise<Store> {
  try {
    return await (settings.storage === 'etcd'
      ? openEtcd(settings, context)
      : openEmbedded(settings, context));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const where =
      settings.storage === 'etcd'
        ? `etcd at ${settings.flags.etcdServers.join(', ')}`
        : settings.flags.dataDir;
    throw new StartError(`cannot open the store (${where}): ${error.message}`);
  }
}

async function openEmbedded({ flags }: Settings, { env, workerUrl }: OpenStoreContext): Promise<Store> {
  const { openEmbeddedStore } = await import('@orch/storage/embedded');
  return openEmbeddedStore({ dir: flags.dataDir, env, ...(workerUrl === undefined ? {} : { workerUrl }) });
}

async function openEtcd({ flags, storePrefix }: Settings, { env, signal }: OpenStoreContext): Promise<Store> {
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
