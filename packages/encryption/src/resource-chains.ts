import type { Names } from '@orch/machinery';
import { historyPrefixOf } from '@orch/storage';
import type { EncryptionRule } from './configuration/encryption-configuration.ts';
import { type GroupResource, matches } from './configuration/resource-pattern.ts';
import type { ProviderChain } from './provider-chain.ts';
import type { ValueCipher } from './value-cipher.ts';

export interface ResourceChainsOptions {
  readonly names: Names;
  /** Prefix of all keys in the store, with a slash at its end. */
  readonly storePrefix: string;
  /** The providers of each rule, in the order of `rules`. */
  readonly rules: readonly {
    readonly patterns: EncryptionRule['patterns'];
    readonly ciphers: readonly ValueCipher[];
  }[];
  readonly chainOf: (ciphers: readonly ValueCipher[]) => ProviderChain;
}

/**
 * The chain of each resource. Keys of the store are `<prefix><resource>.<key of the group>/…`; those of the history have another
 * prefix.
 */
export class ResourceChains {
  readonly #options: ResourceChainsOptions;
  readonly #historyPrefix: string;
  readonly #known = new Map<string, ProviderChain | undefined>();

  constructor(options: ResourceChainsOptions) {
    this.#options = options;
    this.#historyPrefix = historyPrefixOf(options.storePrefix);
  }

  /** Undefined for values that are stored as they are. */
  of(storageKey: string): ProviderChain | undefined {
    const prefix = this.#prefixOf(storageKey);
    if (prefix === undefined) return undefined;
    const end = storageKey.indexOf('/', prefix.length);
    if (end < 0) return undefined;
    const name = storageKey.slice(prefix.length, end);
    if (this.#known.has(name)) return this.#known.get(name);
    const chain = this.#make(name);
    this.#known.set(name, chain);
    return chain;
  }

  #prefixOf(storageKey: string): string | undefined {
    const { storePrefix } = this.#options;
    if (storageKey.startsWith(storePrefix)) return storePrefix;
    return storageKey.startsWith(this.#historyPrefix) ? this.#historyPrefix : undefined;
  }

  #make(name: string): ProviderChain | undefined {
    // The server's own records: public keys, leases, allocations.
    if (name.startsWith('~')) return undefined;
    const { rules, chainOf } = this.#options;
    const resource = this.#resourceOf(name);
    const rule = rules.find(({ patterns }) => patterns.some((pattern) => matches(pattern, resource)));
    return rule === undefined ? undefined : chainOf(rule.ciphers);
  }

  #resourceOf(name: string): GroupResource {
    const dot = name.indexOf('.');
    if (dot < 0) return { resource: name, group: '' };
    const { names } = this.#options;
    const group = name.slice(dot + 1);
    // Other programs may have stored keys of any form below the prefix.
    return {
      resource: name.slice(0, dot),
      group: Object.hasOwn(names.groups, group) ? names.group(group) : group,
    };
  }
}
