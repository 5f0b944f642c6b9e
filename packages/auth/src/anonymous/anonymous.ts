import { type Names, whenFulfilled } from '@orch/machinery';
import { bearerToken } from '../bearer.ts';
import type { Authentication, Authenticator, Credentials, UserInfo } from '../types.ts';

/** Who sends requests without credentials (access-control document, 5.9). He is not among the authenticated. */
export const anonymousUser = ({ users, userGroups }: Names): UserInfo => ({
  name: users.anonymous,
  uid: '',
  groups: [userGroups.unauthenticated],
  extra: {},
});

const unknownToken: Authentication = { kind: 'rejected', reason: 'nobody knows the bearer token' };

/**
 * Takes requests without credentials for anonymous. Credentials that are wrong stay wrong, and so do tokens that nobody
 * understands: a client that has lost its permissions is told so, instead of being shown what everybody may see.
 */
export function orAnonymous(authenticator: Authenticator, names: Names): Authenticator {
  const anonymous: Authentication = { kind: 'user', user: anonymousUser(names) };
  const settled = (outcome: Authentication, { headers }: Credentials): Authentication => {
    if (outcome.kind !== 'none') return outcome;
    return bearerToken(headers.authorization) === undefined ? anonymous : unknownToken;
  };
  return {
    authenticate(credentials) {
      return whenFulfilled(authenticator.authenticate(credentials), settled, credentials);
    },
  };
}
