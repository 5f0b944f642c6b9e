import { type GivenFlags, UsageError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { type StoreOverride, storeOverridesOf } from './store-overrides.ts';

/** The flags about the store. */
export type StoreFlags = GivenFlags &
  Pick<
    ApiServerFlags,
    | 'storageBackend'
    | 'dataDir'
    | 'etcdServers'
    | 'etcdPrefix'
    | 'etcdCaFile'
    | 'etcdCertFile'
    | 'etcdKeyFile'
  >;

/** The location of the objects. */
export interface StoreSettings {
  readonly flags: StoreFlags;
  readonly storage: 'embedded' | 'etcd';
  /** Prefix of store keys; ends with a slash. */
  readonly storePrefix: string;
}

/** The locations of the objects: the main store, and the stores of some resources. */
export interface StoresSettings extends StoreSettings {
  readonly overrides: readonly StoreOverride[];
}

/** As `storeSettingsOf`, with the stores of `--etcd-servers-overrides`. Throws `UsageError`. */
export function storesSettingsOf(
  flags: StoreFlags & Pick<ApiServerFlags, 'naming' | 'etcdServersOverrides'>,
): StoresSettings {
  const main = storeSettingsOf(flags);
  const { naming, etcdServers, etcdServersOverrides } = flags;
  if (main.storage === 'embedded' && etcdServersOverrides.length > 0)
    throw new UsageError(
      '--etcd-servers-overrides needs --etcd-servers: the embedded store has all resources',
    );
  return { ...main, overrides: storeOverridesOf({ naming, etcdServers, etcdServersOverrides }) };
}

/** The settings of the store of an override. */
export const settingsOfOverride = <Settings extends StoreSettings>(
  settings: Settings,
  { servers }: StoreOverride,
): Settings => ({ ...settings, flags: { ...settings.flags, etcdServers: servers } });

/** Checks the flags about the store against each other. Throws `UsageError`. */
export const storeSettingsOf = (flags: StoreFlags): StoreSettings => ({
  flags,
  storage: storageOf(flags),
  storePrefix: storePrefixOf(flags.etcdPrefix),
});

const isServer = (text: string): boolean =>
  /^(https?:\/\/)?[^/?#\s]+\/?$/.test(text) && URL.canParse(text.includes('://') ? text : `http://${text}`);

function storageOf({ storageBackend, etcdServers }: StoreFlags): StoreSettings['storage'] {
  const bad = etcdServers.find((server) => !isServer(server));
  if (bad !== undefined)
    throw new UsageError(
      `invalid value ${JSON.stringify(bad)} for --etcd-servers: must be the URL of a member such as https://10.0.0.4:2379`,
    );
  const storage = storageBackend === '' ? (etcdServers.length > 0 ? 'etcd' : 'embedded') : storageBackend;
  if (storage === 'etcd' && etcdServers.length === 0)
    throw new UsageError('--storage-backend=etcd needs --etcd-servers');
  if (storage === 'embedded' && etcdServers.length > 0) {
    throw new UsageError('--etcd-servers cannot be used with --storage-backend=embedded');
  }
  return storage;
}

function storePrefixOf(prefix: string): string {
  if (!/^\/?[A-Za-z0-9._/-]*$/.test(prefix)) {
    throw new UsageError(`invalid value ${JSON.stringify(prefix)} for --etcd-prefix: must be a path`);
  }
  return `/${prefix
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}/`.replace(/^\/\/$/, '/');
}
