import type { Env, Names } from '@orch/machinery';
import { ciphersOf } from './ciphers/ciphers-of.ts';
import {
  type EncryptionRule,
  readEncryptionConfiguration,
} from './configuration/encryption-configuration.ts';
import type { KmsConfiguration } from './configuration/kms-provider.ts';
import type { Encryption } from './encrypted-store.ts';
import type { KeyService } from './kms/key-service.ts';
import { KeyServices } from './kms/key-services.ts';
import { ProviderChain } from './provider-chain.ts';
import { ResourceChains } from './resource-chains.ts';
import { TransformationMetrics } from './transformation-metrics.ts';
import type { ValueCipher } from './value-cipher.ts';

export interface EncryptionOptions {
  readonly names: Names;
  readonly storePrefix: string;
  readonly env: Env;
  /** The name of the configuration file, for errors. */
  readonly file: string;
  /** Values that could not be decrypted may be readable now: a key service has recovered, or the configuration has changed. */
  readonly readable?: () => void;
}

/**
 * The encryption that a configuration file describes; the file may be replaced by another version of it. Key services are called when
 * values need it, and probed while `run` is.
 */
export class ConfiguredEncryption implements Encryption {
  readonly #options: EncryptionOptions;
  readonly #metrics: TransformationMetrics;
  readonly #services: KeyServices;
  #chains: ResourceChains;

  /** Throws `ConfigFileError`. */
  constructor(text: string, options: EncryptionOptions) {
    const { env, names, readable = () => {} } = options;
    this.#options = options;
    this.#metrics = new TransformationMetrics(env);
    this.#services = new KeyServices({ env, marker: names.storedPrefixes.encrypted, recovered: readable });
    this.#chains = this.#read(text);
  }

  /** The key services of the file in use. */
  get services(): readonly Pick<KeyService, 'name' | 'version' | 'failure'>[] {
    return this.#services.all;
  }

  chainOf(storageKey: string): ProviderChain | undefined {
    return this.#chains.of(storageKey);
  }

  /**
   * Checks another version of the file before its use: its new key services must work. Rejects with `ConfigFileError`, or with the
   * failure of a key service.
   */
  async prepare(text: string): Promise<void> {
    const { names, file } = this.#options;
    const rules = readEncryptionConfiguration({ text, file, names });
    const providers = rules.flatMap((rule) => rule.providers);
    await this.#services.prepare(providers.filter((provider) => provider.type === 'kms'));
  }

  /** Uses another version of the file. Throws `ConfigFileError`; the previous one remains in use then. */
  replace(text: string): void {
    this.#chains = this.#read(text);
    this.#options.readable?.();
  }

  /** Probes the key services until the signal aborts, and closes them then. */
  run(signal: AbortSignal): Promise<void> {
    return this.#services.run(signal);
  }

  /** Ends all calls of key services. */
  close(): void {
    this.#services.close();
  }

  #read(text: string): ResourceChains {
    const { names, storePrefix, file } = this.#options;
    const marker = names.storedPrefixes.encrypted;
    const rules = readEncryptionConfiguration({ text, file, names });
    return this.#services.change(
      (serviceOf) =>
        new ResourceChains({
          names,
          storePrefix,
          rules: rules.map((rule) => ({
            patterns: rule.patterns,
            ciphers: this.#ciphers(rule, serviceOf),
          })),
          chainOf: (ciphers) => new ProviderChain({ ciphers, marker, metrics: this.#metrics }),
        }),
    );
  }

  #ciphers(
    { providers }: EncryptionRule,
    serviceOf: (configuration: KmsConfiguration) => KeyService,
  ): readonly ValueCipher[] {
    const { names, env } = this.#options;
    return providers.flatMap((provider) =>
      provider.type === 'kms'
        ? serviceOf(provider).cipher
        : ciphersOf(provider, names.storedPrefixes.encrypted, env.random),
    );
  }
}
