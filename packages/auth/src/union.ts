import type { Authentication, Authenticator, Credentials } from './types.ts';

const none: Authentication = { kind: 'none' };

/**
 * Asks authenticators in turn: the first that knows the user ends the search. One that rejects does not end it, since
 * another may understand the same kind of credentials; when none succeeds, the first rejection stands (spec 5.1).
 */
export function unionAuthenticator(authenticators: readonly Authenticator[]): Authenticator {
  return {
    authenticate(credentials) {
      let rejection: Authentication | undefined;
      for (let index = 0; index < authenticators.length; index++) {
        const outcome = authenticators[index]?.authenticate(credentials) ?? none;
        if (outcome instanceof Promise) return restOf(authenticators, index, outcome, rejection, credentials);
        if (outcome.kind === 'user') return outcome;
        if (outcome.kind === 'rejected') rejection ??= outcome;
      }
      return rejection ?? none;
    },
  };
}

async function restOf(
  authenticators: readonly Authenticator[],
  index: number,
  pending: Promise<Authentication>,
  rejectedBefore: Authentication | undefined,
  credentials: Credentials,
): Promise<Authentication> {
  let rejection = rejectedBefore;
  let outcome = await pending;
  for (let next = index + 1; ; next++) {
    if (outcome.kind === 'user') return outcome;
    if (outcome.kind === 'rejected') rejection ??= outcome;
    const authenticator = authenticators[next];
    if (authenticator === undefined) return rejection ?? none;
    outcome = await authenticator.authenticate(credentials);
  }
}
