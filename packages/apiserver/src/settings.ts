import { join } from 'node:path';
import { compareReleases, NEWEST_RELEASE, OLDEST_RELEASE, parseRelease, type Release } from '@orch/apis';
import { type Names, namesFor } from '@orch/machinery';
import type { ApiServerFlags } from './api-server-flags.ts';
import { checkAddress, type HostPort, readHostPort } from './bind-address.ts';
import { UsageError } from './flags/parse.ts';

/** Flags with everything derived and checked that needs no file and no network. */
export interface Settings {
  readonly flags: ApiServerFlags;
  readonly names: Names;
  readonly release: Release;
  readonly bind: HostPort;
  readonly ops: HostPort | undefined;
  readonly storage: 'embedded' | 'etcd';
  /** Store keys begin with it; ends with a slash. */
  readonly storePrefix: string;
  readonly adminConfig: string;
}

/** Checks flags against each other. Throws `UsageError`. */
export function settingsOf(flags: ApiServerFlags): Settings {
  if (flags.requestTimeout <= 0) {
    throw new UsageError('invalid value "0" for --request-timeout: must be greater than zero');
  }
  return {
    flags,
    names: namesFor(flags.naming),
    release: releaseOf(flags.emulatedVersion),
    bind: { host: checkAddress('bind-address', flags.bindAddress), port: flags.securePort },
    ops: flags.opsBindAddress === '' ? undefined : readHostPort('ops-bind-address', flags.opsBindAddress),
    storage: storageOf(flags),
    storePrefix: storePrefixOf(flags.etcdPrefix),
    adminConfig: flags.adminConfig === '' ? join(flags.certDir, 'admin.conf') : flags.adminConfig,
  };
}

function releaseOf(text: string): Release {
  const release = parseRelease(text);
  if (
    release === undefined ||
    compareReleases(release, OLDEST_RELEASE) < 0 ||
    compareReleases(release, NEWEST_RELEASE) > 0
  ) {
    throw new UsageError(
      `invalid value ${JSON.stringify(text)} for --emulated-version: must be a release from ${OLDEST_RELEASE} to ${NEWEST_RELEASE}`,
    );
  }
  return release;
}

function storageOf({ storageBackend, etcdServers }: ApiServerFlags): Settings['storage'] {
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
