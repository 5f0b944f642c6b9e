import type { ObjectSource, SourceObject } from '@orch/auth';
import type { ServiceAccount } from '@orch/kinds/core';
import type { ApiObject, Clock } from '@orch/machinery';
import { onAbort } from '@orch/machinery/concurrency';

export interface AccountLookupParts {
  readonly source: ObjectSource;
  readonly clock: Pick<Clock, 'scheduleAwaited'>;
}

/** The account that a controller creates in every namespace, the default of pods. */
export const DEFAULT_ACCOUNT = 'default';

/** Maximum time that a write waits for the default account of a namespace that was created moments ago. */
export const DEFAULT_ACCOUNT_WAIT_MS = 2000;

const RESOURCE = 'serviceaccounts';

/** An account by namespace and name. */
export interface AccountRequest {
  readonly namespace: string;
  readonly name: string;
  readonly signal: AbortSignal;
}

type Account = (ApiObject & ServiceAccount) | undefined;
type Resolve = (account: Account) => void;

/** Finds service accounts in the cache of the replica, which is refreshed before an account is considered missing. */
export class AccountLookup {
  readonly #source: ObjectSource;
  readonly #clock: AccountLookupParts['clock'];
  /** The writes that wait for an account, by its key. */
  readonly #waiting = new Map<string, Set<Resolve>>();

  constructor({ source, clock }: AccountLookupParts) {
    this.#source = source;
    this.#clock = clock;
    source.subscribe(RESOURCE, {
      reset: (objects) => {
        if (this.#waiting.size === 0) return;
        for (const object of objects) this.#appeared(object.key, object);
      },
      changed: (key, object) => this.#appeared(key, object),
    });
  }

  /**
   * Undefined when the account does not exist. For the default account, waits a limited time for the controller to create
   * it. Synchronous when the account is cached.
   */
  find(request: AccountRequest): Account | Promise<Account> {
    return this.#cached(request) ?? this.#current(request);
  }

  async #current(request: AccountRequest): Promise<Account> {
    await this.#source.fresh(request.signal);
    const found = this.#cached(request);
    return found !== undefined || request.name !== DEFAULT_ACCOUNT ? found : this.#created(request);
  }

  #cached({ namespace, name }: AccountRequest): Account {
    return this.#source.get(RESOURCE, namespace, name);
  }

  async #created({ namespace, name, signal }: AccountRequest): Promise<Account> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Account>();
    const key = `${namespace}/${name}`;
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting.add(resolve));
    const cancel = this.#clock.scheduleAwaited(DEFAULT_ACCOUNT_WAIT_MS, () => resolve(undefined));
    const unregister = onAbort(signal, () => reject(signal.reason));
    try {
      return await promise;
    } finally {
      cancel();
      unregister();
      waiting.delete(resolve);
      if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key);
    }
  }

  #appeared(key: string, object: SourceObject | undefined): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined || object === undefined) return;
    const account = object.read();
    for (const resolve of waiting) resolve(account);
  }
}
