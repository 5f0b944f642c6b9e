import { resolve } from 'node:path';
import {
  BACKUP_PATH,
  openAllStores,
  openStore,
  partialStores,
  type StoresSettings,
  settingsOfNaming,
  storesSettingsOf,
} from '@orch/apiserver';
import { contentOfStores, openBackup, type StoreContent } from '@orch/backup';
import { loadClientConfig, networkTransport } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { type FlagValues, StartError, UsageError } from '@orch/program';
import type { backupFlags } from './backup-flags.ts';
import type { BackupHost } from './host.ts';

export type BackupFlags = FlagValues<typeof backupFlags>;

/** The content of a store, open until it is disposed. */
export interface Source extends AsyncDisposable {
  readonly content: StoreContent;
}

/** Opens the source that the flags name: a running server, or its store. */
export function openSource(flags: BackupFlags, host: BackupHost, signal: AbortSignal): Promise<Source> {
  if (flags.clientConfig === '') return storeSource(flags, host, signal);
  if (flags.etcdServers.length > 0)
    throw new UsageError('--etcd-servers and --client-config cannot be used together');
  return serverSource(flags, host, signal);
}

async function storeSource(flags: BackupFlags, host: BackupHost, signal: AbortSignal): Promise<Source> {
  const settings = settingsOfNaming(storesSettingsOf(flags), flags.naming);
  await refuseMissing(settings);
  const { env, workerUrl } = host;
  const stores = await openAllStores(
    settings,
    (one, stop) => openStore(one, { env, workerUrl, signal: stop }),
    signal,
  ).catch((error: unknown) => {
    const isInUse = error instanceof StartError && error.message.includes('in use by another process');
    throw isInUse ? new StartError(`${error.message}: let it make the backup (--client-config)`) : error;
  });
  const close = async (): Promise<void> => {
    await Promise.all(stores.map(({ store }) => store.close()));
  };
  try {
    const { storePrefix: prefix } = settings;
    const content = await contentOfStores(partialStores(stores, prefix), { prefix, env }, signal);
    return { content, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Refuses an embedded store that does not exist: opening it would create it, and the backup would be empty. */
async function refuseMissing({ storage, flags: { dataDir } }: StoresSettings): Promise<void> {
  if (storage !== 'embedded') return;
  const { hasStore } = await import('@orch/storage/embedded');
  if (!hasStore(dataDir))
    throw new StartError(
      `there is no store in ${resolve(dataDir)}: name its folder (--data-dir), its etcd (--etcd-servers) or a server (--client-config)`,
    );
}

/** The server streams a backup, whose entries are checked and encoded again. */
async function serverSource(
  { clientConfig, naming }: BackupFlags,
  { env, environment }: BackupHost,
  signal: AbortSignal,
): Promise<Source> {
  const names = namesFor(naming);
  const connection = await loadClientConfig({ env, names, files: [clientConfig], environment });
  const transport = networkTransport(connection, env);
  try {
    const response = await transport.send({ method: 'GET', target: BACKUP_PATH, headers: {} }, signal);
    if (response.status !== 200)
      throw new StartError(
        `the server refused a backup: status ${response.status}${explained(response.status)}`,
      );
    const backup = await openBackup(response.body, undefined);
    return {
      content: { origin: backup.header, entries: backup.entries },
      async [Symbol.asyncDispose]() {
        await backup[Symbol.asyncDispose]();
        await transport.close();
      },
    };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

const explained = (status: number): string =>
  status === 403
    ? `: the user may not get ${BACKUP_PATH}`
    : status === 404
      ? ': it is of an earlier version'
      : status === 429
        ? ': others are being made; try again later'
        : '';
