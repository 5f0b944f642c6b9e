import { keyOf, type kinds, type ObjectKey } from '@orch/client';
import type { Names } from '@orch/machinery';
import { accountOf } from './token-secret.ts';

/**
 * Token secrets whose deletion was observed, by the account that they named, until the account no longer refers to
 * them. A reference to such a secret is stale; a reference to any other missing secret announces its creation.
 */
export class DeletedTokens {
  readonly #names: Names;
  readonly #secrets = new Map<ObjectKey, Set<string>>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** Adds a deleted secret. Returns the account that it named; undefined without one. */
  add(secret: kinds.core.Secret): ObjectKey | undefined {
    const named = accountOf(secret, this.#names);
    if (named === undefined) return undefined;
    const account = keyOf(named.namespace, named.name);
    const names = this.#secrets.get(account) ?? new Set();
    this.#secrets.set(account, names.add(secret.metadata.name ?? ''));
    return account;
  }

  /** Names of the deleted secrets of an account. */
  of(account: ObjectKey): ReadonlySet<string> {
    return this.#secrets.get(account) ?? new Set();
  }

  /** Removes secrets that the account no longer refers to. */
  forget(account: ObjectKey, secretNames: Iterable<string>): void {
    const names = this.#secrets.get(account);
    if (names === undefined) return;
    for (const name of secretNames) names.delete(name);
    if (names.size === 0) this.#secrets.delete(account);
  }
}
