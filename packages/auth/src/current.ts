import { explainedBy, listedBy } from './authorizers.ts';
import type { Authenticator, Authorizer } from './types.ts';

/** An authenticator that is replaced: each request is authenticated by the current one. */
export const currentAuthenticator = (current: () => Authenticator): Authenticator => ({
  authenticate: (credentials) => current().authenticate(credentials),
});

/** An authorizer that is replaced: each request is decided by the current one. */
export const currentAuthorizer = (current: () => Authorizer): Authorizer => ({
  authorize: (attributes, request) => current().authorize(attributes, request),
  explain: (attributes, request) => explainedBy(current(), attributes, request),
  rules: (user, namespace) => listedBy(current(), user, namespace),
});
