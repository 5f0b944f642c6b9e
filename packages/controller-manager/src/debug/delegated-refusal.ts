import type { Client } from '@orch/client';
import { bearerToken, DelegatedAuthenticator, DelegatedAuthorizer } from '@orch/client/extension-server';
import { type Clock, messageOf } from '@orch/machinery';
import { type DebugAnswer, type ForeignRequest, textAnswer } from '@orch/program';

const HTTP_UNAUTHORIZED = 401;
const HTTP_FORBIDDEN = 403;
const HTTP_UNAVAILABLE = 503;

/**
 * Authorizes requests to `/debug` from other machines: the API server determines the user of the bearer token
 * (TokenReview), and whether that user has access to the path (SubjectAccessReview). When it cannot be reached, the
 * request is refused.
 */
export function delegatedRefusal(
  client: Client,
  clock: Pick<Clock, 'monotonic'>,
): (request: ForeignRequest) => Promise<DebugAnswer | undefined> {
  const authenticator = new DelegatedAuthenticator(client, clock);
  const authorizer = new DelegatedAuthorizer(client, clock);
  return async ({ method, path, authorization, signal }) => {
    const token = bearerToken(authorization);
    if (token === undefined) return unauthorized('a bearer token is needed');
    try {
      const user = await authenticator.user(token, signal);
      if (user === undefined) return unauthorized('the bearer token is not valid');
      const isAllowed = await authorizer.isAllowed(user, { verb: method.toLowerCase(), path }, signal);
      return isAllowed ? undefined : textAnswer('forbidden', HTTP_FORBIDDEN);
    } catch (error) {
      return textAnswer(`the API server cannot be reached: ${messageOf(error)}`, HTTP_UNAVAILABLE);
    }
  };
}

const unauthorized = (text: string): DebugAnswer =>
  textAnswer(text, HTTP_UNAUTHORIZED, { 'WWW-Authenticate': 'Bearer' });
