import { existsSync } from 'node:fs';
import { flagValues, readConfigFile, StartError, UsageError } from '@orch/program';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { type StoreSettings, storeSettingsOf } from '../settings/store-settings.ts';

/** The flags that a file about another store may have. The prefix is the same: encrypted values are bound to their keys. */
const targetFlags = {
  storageBackend: apiServerFlags.storageBackend,
  dataDir: apiServerFlags.dataDir,
  etcdServers: apiServerFlags.etcdServers,
  etcdCaFile: apiServerFlags.etcdCaFile,
  etcdCertFile: apiServerFlags.etcdCertFile,
  etcdKeyFile: apiServerFlags.etcdKeyFile,
} as const;

type TargetSettings = {
  readonly flags: StoreSettings['flags'] & { readonly migrationTargetFile: string; readonly threads: number };
};

/**
 * Reads the store that the file of `--migration-target-file` names; undefined without a file. Throws a `StartError` if the file
 * cannot be used. A server with several threads cannot use an embedded store, which only its first thread could open.
 */
export function migrationTarget({ flags }: TargetSettings): StoreSettings | undefined {
  const { migrationTargetFile: path } = flags;
  if (path === '' || !existsSync(path)) return undefined;
  const target = targetIn(path, flags);
  if (target.storage === 'etcd' || flags.threads === 1) return target;
  throw new StartError(
    `--migration-target-file ${path} names an embedded store, which this server with ${flags.threads} threads cannot use: start it with --threads=1`,
  );
}

function targetIn(path: string, { etcdPrefix }: StoreSettings['flags']): StoreSettings {
  try {
    const given = readConfigFile(path, apiServerFlags.migrationTargetFile.name);
    return storeSettingsOf({ ...flagValues(targetFlags, given), etcdPrefix });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new StartError(error.message, { cause: error });
  }
}

/** Throws a `StartError` also when there is no file. */
export function neededMigrationTarget(settings: TargetSettings): StoreSettings {
  const target = migrationTarget(settings);
  if (target !== undefined) return target;
  throw new StartError('the server has no file with the flags of the other store (--migration-target-file)');
}
