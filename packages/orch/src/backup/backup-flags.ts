import { apiServerFlags } from '@orch/apiserver';
import { choiceFlag, switchFlag, textFlag } from '@orch/program';

const file = (name: string, help: string) => ({ name, help, section: 'Backup file' });

const common = {
  help: apiServerFlags.help,
  version: apiServerFlags.version,
  config: apiServerFlags.config,
  logFormat: apiServerFlags.logFormat,
  output: choiceFlag(
    {
      name: 'output',
      help: 'How the result is printed: text by default on a terminal, otherwise JSON.',
      section: 'General',
    },
    ['', 'text', 'json'],
    '',
  ),
} as const;

const secret = {
  passphraseFile: textFlag(
    file(
      'passphrase-file',
      'File with the passphrase of an encrypted backup, without its last line break. The environment variable ORCH_BACKUP_PASSPHRASE is used when there is none.',
    ),
  ),
  keyFile: textFlag(file('key-file', 'File with the key of an encrypted backup: 32 random bytes in base64.')),
} as const;

const store = {
  storageBackend: apiServerFlags.storageBackend,
  dataDir: apiServerFlags.dataDir,
  etcdServers: apiServerFlags.etcdServers,
  etcdServersOverrides: apiServerFlags.etcdServersOverrides,
  etcdPrefix: apiServerFlags.etcdPrefix,
  etcdCaFile: apiServerFlags.etcdCaFile,
  etcdCertFile: apiServerFlags.etcdCertFile,
  etcdKeyFile: apiServerFlags.etcdKeyFile,
} as const;

const clientConfig = {
  name: 'client-config',
  alias: 'kubeconfig',
  section: 'Storage',
} as const;

/** Flags of `orch migrate`. */
export const migrateFlags = {
  ...common,
  naming: apiServerFlags.naming,
  ...store,
  byResource: switchFlag({
    name: 'by-resource',
    help: 'Instead, move the objects of each resource to the store that --etcd-servers and --etcd-servers-overrides name for it. All servers must be stopped.',
    section: 'Storage',
  }),
  clientConfig: textFlag({
    ...clientConfig,
    help: 'Client configuration file of the running server that moves its store. The user needs permission to post to the path /storage/migration, or to delete it for --abort.',
  }),
  abort: switchFlag({
    name: 'abort',
    help: 'Undo a migration that has not ended, instead: the target becomes empty, and servers keep the store that they use.',
    section: 'Storage',
  }),
} as const;

/** Flags of `orch backup`. */
export const backupFlags = {
  ...common,
  naming: apiServerFlags.naming,
  ...store,
  clientConfig: textFlag({
    ...clientConfig,
    help: 'Client configuration file of a running server, which then makes the backup: the way for an embedded store that is in use. The user needs permission to get the path /storage/backup.',
  }),
  ...secret,
} as const;

/** Flags of `orch backup verify`. */
export const verifyFlags = { ...common, ...secret } as const;

/** Flags of `orch restore`: the flags of `orch backup`, and those that only a restore has. */
export const restoreFlags = {
  ...common,
  naming: apiServerFlags.naming,
  ...store,
  clientConfig: textFlag({
    ...clientConfig,
    help: 'Refused, with the reason: servers are stopped during a restore, so the store must be named.',
  }),
  ...secret,
  replace: switchFlag({
    name: 'replace',
    help: 'Also restore into a store that has keys already: those that are not in the backup are deleted.',
    section: 'Storage',
  }),
  replaceMoved: switchFlag({
    name: 'replace-moved',
    help: 'As --replace, also for a store whose content orch migrate has moved to another one. Servers with the flags of this store use it then: stop those that use the other one first.',
    section: 'Storage',
  }),
} as const;
