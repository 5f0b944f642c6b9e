import type { Names } from '@orch/machinery';
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

/** The chain of each resource. Keys of the store are `<prefix><resource>.<key of the group>/…`. */
export class ResourceChains {
  readonly #options: ResourceChainsOptions;
  readonly #known = new Map<string, ProviderChain | undefined>();

  constructor(options: ResourceChainsOptions) {
    this.#options = options;
  }

  /** Undefined for values that are stored as they are. */
  of(storageKey: string): ProviderChain | undefined {
    const { storePrefix } = this.#options;
    if (!storageKey.startsWith(storePrefix)) return undefined;
    const end = storageKey.indexOf('/', storePrefix.length);
    if (end < 0) return undefined;
    const name = storageKey.slice(storePrefix.length, end);
    if (this.#known.has(name)) return this.#known.get(name);
    const chain = this.#make(name);
    this.#known.set(name, chain);
    return chain;
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
