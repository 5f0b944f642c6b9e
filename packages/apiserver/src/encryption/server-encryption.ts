import type { ConfiguredEncryption } from '@orch/encryption';
import { ConfigFileError, type Env, messageOf } from '@orch/machinery';
import { type HealthCheck, healthy, readFlagFile, runAll, StartError, unhealthy } from '@orch/program';
import type { Store } from '@orch/storage';
import { watchFiles } from '../certificates/file-changes.ts';
import type { Settings } from '../settings/settings.ts';
import { keyServiceChecks } from './key-service-checks.ts';
import { type ReloadMetrics, reloadMetrics } from './reload-metrics.ts';
import { type CachedObjects, Rereads } from './rereads.ts';

const FLAG = 'encryption-provider-config';

/** The encryption of stored values, as `--encryption-provider-config` describes it. */
export interface ServerEncryption {
  /** The store, with encrypted values in the store behind it. */
  encrypted(store: Store): Store;
  /** Of the configuration file, which fails while it is another one than that in use, and of key services. */
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
  const { encryptionProviderConfig: file } = flags;
  if (file === '') return undefined;
  const { ConfiguredEncryption, EncryptedStore } = await import('@orch/encryption');
  const text = readFlagFile(FLAG, file);
  const rereads = new Rereads(env);
  const readable = (): void => rereads.request();
  const configured = asStartError(
    () => new ConfiguredEncryption(text, { names, storePrefix, env, file, readable }),
    file,
  );
  const reloading = new Reloading(configured, file, env);
  const isReloaded = flags.encryptionProviderConfigReload;
  const watched = (signal: AbortSignal): Promise<void> =>
    isReloaded ? watchFiles([file], env.clock, () => reloading.reload(), signal) : Promise.resolve();
  return {
    encrypted: (store) => new EncryptedStore(store, configured),
    checks: [reloading.check, ...keyServiceChecks(configured, isReloaded)],
    async run(signal) {
      await runAll([(stop) => configured.run(stop), watched], signal);
    },
    readAgain: (cache, signal) => rereads.run(cache, signal),
    close: () => configured.close(),
  };
}

function asStartError<T>(work: () => T, file: string): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new StartError(`--${FLAG} ${file}: ${error.message}`);
  }
}

/** Replaces the configuration by that of its changed file; an invalid one has no effect until it is valid. */
class Reloading {
  readonly check: HealthCheck;
  readonly #configured: ConfiguredEncryption;
  readonly #file: string;
  readonly #env: Env;
  readonly #metrics: ReloadMetrics;
  #failure: string | undefined;

  constructor(configured: ConfiguredEncryption, file: string, env: Env) {
    this.#configured = configured;
    this.#file = file;
    this.#env = env;
    this.#metrics = reloadMetrics(env);
    this.#metrics.inUse(configured.hash);
    this.check = {
      name: FLAG,
      // The previous configuration remains in use.
      isNotice: true,
      run: () => (this.#failure === undefined ? healthy : unhealthy(this.#failure)),
    };
  }

  reload(): void {
    const { log } = this.#env;
    const before = this.#configured.hash;
    try {
      this.#configured.replace(readFlagFile(FLAG, this.#file));
    } catch (error) {
      this.#failure = messageOf(error);
      this.#metrics.reloaded('failure');
      log.error('the encryption configuration cannot be used; keeping the previous one', {
        file: this.#file,
        error: this.#failure,
      });
      return;
    }
    this.#failure = undefined;
    const { hash } = this.#configured;
    if (hash === before) return;
    this.#metrics.reloaded('success');
    this.#metrics.inUse(hash);
    log.info('the encryption configuration was reloaded', { file: this.#file, hash });
  }
}
