import { createHash } from 'node:crypto';
import { ConfigFileError, type Env, type Names } from '@orch/machinery';
import { ciphersOf } from './ciphers/ciphers-of.ts';
import {
  type EncryptionRule,
  readEncryptionConfiguration,
} from './configuration/encryption-configuration.ts';
import type { Encryption } from './encrypted-store.ts';
import { ProviderChain } from './provider-chain.ts';
import { ResourceChains } from './resource-chains.ts';
import { TransformationMetrics } from './transformation-metrics.ts';
import type { ValueCipher } from './value-cipher.ts';

export interface EncryptionOptions {
  readonly names: Names;
  readonly storePrefix: string;
  readonly env: Pick<Env, 'clock' | 'random' | 'metrics'>;
  /** The name of the configuration file, for errors. */
  readonly file: string;
}

/** The encryption that a configuration file describes; the file may be replaced by another version of it. */
export class ConfiguredEncryption implements Encryption {
  readonly #options: EncryptionOptions;
  readonly #metrics: TransformationMetrics;
  #chains: ResourceChains;
  #hash: string;

  /** Throws `ConfigFileError`. */
  constructor(text: string, options: EncryptionOptions) {
    this.#options = options;
    this.#metrics = new TransformationMetrics(options.env);
    this.#chains = this.#read(text);
    this.#hash = hashOf(text);
  }

  /** Identifies the content of the file in use. */
  get hash(): string {
    return this.#hash;
  }

  chainOf(storageKey: string): ProviderChain | undefined {
    return this.#chains.of(storageKey);
  }

  /** Uses another version of the file. Throws `ConfigFileError`; the previous one remains in use then. */
  replace(text: string): void {
    this.#chains = this.#read(text);
    this.#hash = hashOf(text);
  }

  #read(text: string): ResourceChains {
    const { names, storePrefix, file } = this.#options;
    const marker = names.storedPrefixes.encrypted;
    const rules = readEncryptionConfiguration({ text, file, names });
    return new ResourceChains({
      names,
      storePrefix,
      rules: rules.map((rule) => ({ patterns: rule.patterns, ciphers: this.#ciphers(rule) })),
      chainOf: (ciphers) => new ProviderChain({ ciphers, marker, metrics: this.#metrics }),
    });
  }

  #ciphers({ providers }: EncryptionRule): readonly ValueCipher[] {
    const { names, file, env } = this.#options;
    return providers.flatMap((provider) => {
      if (provider.type !== 'kms') return ciphersOf(provider, names.storedPrefixes.encrypted, env.random);
      throw new ConfigFileError(
        file,
        `the KMS provider ${JSON.stringify(provider.name)}: providers of the type kms are not supported`,
      );
    });
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
