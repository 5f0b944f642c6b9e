import type { ConfiguredEncryption } from '@orch/encryption';
import type { Env } from '@orch/machinery';
import { ConfigFileError } from '@orch/machinery/yaml';
import { type HealthCheck, runAll } from '@orch/program';
import type { Store } from '@orch/storage';
import { asStartError } from '../reload/as-start-error.ts';
import { configurationMetrics } from '../reload/reload-metrics.ts';
import { type FileFlag, ReloadedFiles } from '../reload/reloaded-files.ts';
import type { Settings } from '../settings/settings.ts';
import { keyServiceChecks } from './key-service-checks.ts';
import { type CachedObjects, Rereads } from './rereads.ts';

/** The encryption of stored values, as `--encryption-provider-config` describes it. */
export interface ServerEncryption {
  /** Digest of the configuration in use. */
  readonly hash: string;
  /** The store, with encrypted values in the store behind it. */
  encrypted(store: Store): Store;
  /** Reports whether a value with this key would be encrypted now. */
  encrypts(key: string): boolean;
  /** Checks of the configuration file, which fail while it differs from the one in use, and of key services. */
  readonly checks: readonly HealthCheck[];
  /** Probes key services, and uses the configuration file as it changes, with `--encryption-provider-config-automatic-reload`. */
  run(signal: AbortSignal): Promise<void>;
  /** Reads objects of the cache again that could not be decrypted, when that may have changed. */
  readAgain(cache: CachedObjects, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Undefined without a configuration file: then no code is loaded. Throws a `StartError` for an invalid file. */
export async function openEncryption(
  { flags, names, storePrefix }: Settings,
  env: Env,
): Promise<ServerEncryption | undefined> {
  const file: FileFlag = { flag: 'encryption-provider-config', path: flags.encryptionProviderConfig };
  if (file.path === '') return undefined;
  const { ConfiguredEncryption, EncryptedStore } = await import('@orch/encryption');
  const rereads = new Rereads(env);
  const options = { names, storePrefix, env, file: file.path, readable: () => rereads.request() };
  const files = new ReloadedFiles<ConfiguredEncryption>({
    title: 'the encryption configuration',
    files: [file],
    read: ([text = ''], previous) =>
      asStartError(file, ConfigFileError, () => {
        previous?.replace(text);
        return previous ?? new ConfiguredEncryption(text, options);
      }),
    prepare: ([text = ''], encryption) => encryption.prepare(text).catch(unlessInvalid),
    metrics: configurationMetrics(
      'apiserver_encryption_config_controller',
      'the encryption configuration',
      env,
    ),
    env,
  });
  const configured = files.current;
  const isReloaded = flags.encryptionProviderConfigReload;
  const watched = (signal: AbortSignal): Promise<void> =>
    isReloaded ? files.run(signal) : Promise.resolve();
  return {
    get hash() {
      return files.hash;
    },
    encrypted: (store) => new EncryptedStore(store, configured),
    encrypts: (key) => configured.chainOf(key)?.encrypts === true,
    checks: [files.check, ...keyServiceChecks(configured, isReloaded)],
    async run(signal) {
      await runAll([(stop) => configured.run(stop), watched], signal);
    },
    readAgain: (cache, signal) => rereads.run(cache, signal),
    close: () => configured.close(),
  };
}

/** An invalid file is reported when it is read. */
function unlessInvalid(error: unknown): void {
  if (!(error instanceof ConfigFileError)) throw error;
}
