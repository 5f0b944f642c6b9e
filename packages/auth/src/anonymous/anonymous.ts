import type { Names } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery/concurrency';
import type { AnonymousConfiguration } from '../authentication-config/configuration.ts';
import { bearerToken } from '../bearer.ts';
import type { Authentication, Authenticator, Credentials, UserInfo } from '../types.ts';

/** The user of requests without credentials (access-control document, 5.9), who is not in the group of authenticated users. */
const anonymousUser = ({ users, userGroups }: Names): UserInfo => ({
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
 * Authenticates requests without credentials as anonymous, where the current configuration permits that. Wrong credentials remain
 * rejected, and unknown tokens as well: a client with invalid credentials receives 401 instead of the permissions of anonymous.
 */
export function orAnonymous(
  authenticator: Authenticator,
  names: Names,
  configuration: () => AnonymousConfiguration,
): Authenticator {
  const anonymous: Authentication = { kind: 'user', user: anonymousUser(names) };
  const withFallback = (outcome: Authentication, { headers, rawPath }: Credentials): Authentication => {
    if (outcome.kind !== 'none') return outcome;
    if (bearerToken(headers.authorization) !== undefined) return unknownToken;
    return permits(configuration(), rawPath) ? anonymous : outcome;
  };
  return {
    authenticate(credentials) {
      return whenFulfilled(authenticator.authenticate(credentials), withFallback, credentials);
    },
  };
}

/** Paths are compared as sent: another spelling of a path is not permitted. */
const permits = ({ isEnabled, paths }: AnonymousConfiguration, rawPath: string | undefined): boolean =>
  isEnabled && (paths.length === 0 || (rawPath !== undefined && paths.includes(rawPath)));
