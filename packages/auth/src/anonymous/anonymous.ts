import { type Names, whenFulfilled } from '@orch/machinery';
import { bearerToken } from '../bearer.ts';
import type { Authentication, Authenticator, Credentials, UserInfo } from '../types.ts';

/** The user of requests without credentials (access-control document, 5.9), who is not in the group of authenticated users. */
export const anonymousUser = ({ users, userGroups }: Names): UserInfo => ({
  name: users.anonymous,
  uid: '',
  groups: [userGroups.unauthenticated],
  extra: {},
});

const unknownToken: Authentication = {
  kind: 'rejected',
  reason: 'no authenticator accepts the bearer token',
};

/**
 * Authenticates requests without credentials as anonymous. Wrong credentials remain rejected, and unknown tokens as well:
 * a client with invalid credentials receives 401 instead of the permissions of anonymous.
 */
export function orAnonymous(authenticator: Authenticator, names: Names): Authenticator {
  const anonymous: Authentication = { kind: 'user', user: anonymousUser(names) };
  const withFallback = (outcome: Authentication, { headers }: Credentials): Authentication => {
    if (outcome.kind !== 'none') return outcome;
    return bearerToken(headers.authorization) === undefined ? anonymous : unknownToken;
  };
  return {
    authenticate(credentials) {
      return whenFulfilled(authenticator.authenticate(credentials), withFallback, credentials);
    },
  };
}
