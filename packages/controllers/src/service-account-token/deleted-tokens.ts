import { keyOf, type ObjectKey } from '@orch/client';
import type { ApiObject, Names } from '@orch/machinery';
import { accountOf } from './token-secret.ts';

/**
 * Token secrets that were seen to be deleted, by the account that they named, until the account refers to them no more.
 * A reference to such a secret is stale; one to a secret that was never seen is about to be made.
 */
export class DeletedTokens {
  readonly #names: Names;
  readonly #secrets = new Map<ObjectKey, Set<string>>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** Remembers a deleted secret. The account that it named; undefined when it named none. */
  add(secret: ApiObject): ObjectKey | undefined {
    const named = accountOf(secret, this.#names);
    if (named === undefined) return undefined;
    const account = keyOf(named.namespace, named.name);
    const known = this.#secrets.get(account) ?? new Set();
    this.#secrets.set(account, known.add(secret.metadata.name ?? ''));
    return account;
  }

  /** Names of the deleted secrets of an account. */
  of(account: ObjectKey): ReadonlySet<string> {
    return this.#secrets.get(account) ?? new Set();
  }

  /** Forgets secrets of an account: those that it does not refer to any more. */
  settle(account: ObjectKey, secretNames: Iterable<string>): void {
    const known = this.#secrets.get(account);
    if (known === undefined) return;
    for (const name of secretNames) known.delete(name);
    if (known.size === 0) this.#secrets.delete(account);
  }
}
