import { whenFulfilled, whenRejected } from '@orch/machinery/concurrency';
import type { Authentication, Authenticator, Credentials } from './types.ts';

type Rejection = Extract<Authentication, { kind: 'rejected' }>;

const none: Authentication = { kind: 'none' };

/**
 * Calls authenticators in order: the first that returns a user ends the search. A rejection or a failure does not end it,
 * since another authenticator may accept the same kind of credentials. Without a user the first failure is thrown, else
 * the first rejection is returned, with the first text for reviews that any of them has (spec 5.1).
 */
export function unionAuthenticator(authenticators: readonly Authenticator[]): Authenticator {
  return { authenticate: (credentials) => outcomeFrom(new Search(authenticators, credentials), 0) };
}

/** The outcome of the search over the authenticators from `index` on; synchronous as long as they are. */
const outcomeFrom = (search: Search, index: number): Authentication | Promise<Authentication> =>
  index === search.length
    ? search.end()
    : whenFulfilled(search.outcomeOf(index), endOrContinue, search, index);

function endOrContinue(
  outcome: Authentication,
  search: Search,
  index: number,
): Authentication | Promise<Authentication> {
  if (outcome.kind === 'user') return outcome;
  if (outcome.kind === 'rejected') search.rejected(outcome);
  return outcomeFrom(search, index + 1);
}

/** The rejections and failures of a search that has not found a user. */
class Search {
  readonly #authenticators: readonly Authenticator[];
  readonly #credentials: Credentials;
  #rejection: Rejection | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(authenticators: readonly Authenticator[], credentials: Credentials) {
    this.#authenticators = authenticators;
    this.#credentials = credentials;
  }

  get length(): number {
    return this.#authenticators.length;
  }

  /** The outcome of one authenticator; a failure is recorded, and counts as no outcome. */
  outcomeOf(index: number): Authentication | Promise<Authentication> {
    try {
      const outcome = this.#authenticators[index]?.authenticate(this.#credentials) ?? none;
      return whenRejected(outcome, afterFailure, this);
    } catch (error) {
      return this.failed(error);
    }
  }

  rejected(outcome: Rejection): void {
    const { clientMessage } = outcome;
    if (this.#rejection === undefined) this.#rejection = outcome;
    else if (clientMessage !== undefined) this.#rejection = { clientMessage, ...this.#rejection };
  }

  failed(error: unknown): Authentication {
    this.#failure ??= { error };
    return none;
  }

  end(): Authentication {
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#rejection ?? none;
  }
}

const afterFailure = (error: unknown, search: Search): Authentication => search.failed(error);
