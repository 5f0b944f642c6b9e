import { orchFlags } from '@orch/orch/parts';
import { type Flag, splitCommandLine, UsageError } from '@orch/program';

const console = 'the package does not contain the pages of the console; open it with orchctl console';
const storage = 'the objects are in memory';
const log = 'nothing is logged';
const folder = 'the control plane has its own folder';
const option = (name: string): string => `use the option ${name}`;

/** The flags of `orch up` that a control plane of a test cannot follow, with the reason. */
export const refusedFlags: Readonly<Record<string, string>> = {
  help: 'flags are listed by orch dev --help and in the documentation of orch up',
  version: 'the version is that of the package',
  config: 'no file is read; pass its flags',
  naming: option('naming'),
  'emulated-version': option('emulatedVersion'),
  controllers: option('controllers'),
  'enable-admission-plugins': option('admission'),
  'disable-admission-plugins': option('admission'),
  'admission-control': option('admission'),
  'cert-dir': folder,
  'data-dir': folder,
  'admin-config': 'configFile is the path of the file',
  'storage-backend': storage,
  'etcd-servers': storage,
  'etcd-servers-overrides': storage,
  'etcd-prefix': storage,
  'etcd-cafile': storage,
  'etcd-certfile': storage,
  'etcd-keyfile': storage,
  'migration-target-file': storage,
  threads: 'the objects are in the memory of one thread',
  'endpoint-reconciler-type':
    'a control plane has one server, which is not in the endpoints of the default service',
  console,
  'console-login-scopes': console,
  'console-client-secret-file': console,
  v: log,
  'log-format': log,
  'access-log-sample': log,
};

/** Throws a `UsageError` that names the first flag which a control plane of a test cannot follow, and one for words that are no flags. */
export function checkFlags(flags: readonly string[]): void {
  const { given, words } = splitCommandLine(orchFlags, flags);
  if (words.length > 0) throw new UsageError(`${JSON.stringify(words[0])} must be a flag`);
  for (const { name } of given) {
    const reason = refusedFlags[ownName(name)];
    if (reason !== undefined)
      throw new UsageError(`--${name} cannot be used in a control plane of a test: ${reason}`);
  }
}

/** The name of a flag that was given by its name or its alias. */
const ownName = (given: string): string =>
  Object.values<Flag<unknown>>(orchFlags).find(({ alias }) => alias === given)?.name ?? given;
