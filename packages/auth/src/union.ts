import type { Authentication, Authenticator, Credentials } from './types.ts';

type Rejection = Extract<Authentication, { kind: 'rejected' }>;

const none: Authentication = { kind: 'none' };

/**
 * Asks authenticators in turn: the first that knows the user ends the search. One that rejects, or fails, does not end
 * it, since another may understand the same kind of credentials. When none succeeds, the first failure is thrown, else
 * the first rejection stands, with the first text that there is for reviews (spec 5.1).
 */
export function unionAuthenticator(authenticators: readonly Authenticator[]): Authenticator {
  return {
    authenticate(credentials) {
      const search = new Search();
      for (let index = 0; index < authenticators.length; index++) {
        let outcome: Authentication | Promise<Authentication>;
        try {
          outcome = authenticators[index]?.authenticate(credentials) ?? none;
        } catch (error) {
          search.failed(error);
          continue;
        }
        if (outcome instanceof Promise) {
          return restOf(authenticators.slice(index + 1), outcome, search, credentials);
        }
        if (outcome.kind === 'user') return outcome;
        search.refused(outcome);
      }
      return search.end();
    },
  };
}

/** What is known of a search that has found nobody yet. */
class Search {
  #rejection: Rejection | undefined;
  #failure: { readonly error: unknown } | undefined;

  refused(outcome: Authentication): void {
    if (outcome.kind !== 'rejected') return;
    const { told } = outcome;
    if (this.#rejection === undefined) this.#rejection = outcome;
    else if (told !== undefined) this.#rejection = { told, ...this.#rejection };
  }

  failed(error: unknown): void {
    this.#failure ??= { error };
  }

  end(): Authentication {
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#rejection ?? none;
  }
}

async function restOf(
  others: readonly Authenticator[],
  pending: Promise<Authentication>,
  search: Search,
  credentials: Credentials,
): Promise<Authentication> {
  const asked: (() => Authentication | Promise<Authentication>)[] = [
    () => pending,
    ...others.map((other) => () => other.authenticate(credentials)),
  ];
  for (const ask of asked) {
    try {
      const outcome = await ask();
      if (outcome.kind === 'user') return outcome;
      search.refused(outcome);
    } catch (error) {
      search.failed(error);
    }
  }
  return search.end();
}
