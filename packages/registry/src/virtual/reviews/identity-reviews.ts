import type { Authenticator, UserInfo } from '@orch/auth';
import type { TokenReview } from '@orch/kinds/authentication';
import { errors, type Names } from '@orch/machinery';
import type { ReviewHandler } from '../review-resource.ts';

/** A user in the form of reviews. */
const userInfo = ({ name, uid, groups, extra }: UserInfo) => ({
  username: name,
  ...(uid === '' ? {} : { uid }),
  groups: [...groups],
  extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
});

/** SelfSubjectReview: the user of the client. */
export const selfSubjectReview: ReviewHandler = (review, { user }) => ({
  ...review,
  status: { userInfo: userInfo(user) },
});

/**
 * TokenReview: the user of a token (access-control document, 2.2), authenticated as in a separate request, without the
 * certificate and the connection of the client. A token is not authenticated when it is valid for none of the requested
 * audiences, or, without any, when it is not valid for this server. The reason is not reported, except for the error of the
 * token webhook.
 */
export const tokenReview =
  (authenticator: Authenticator, names: Names): ReviewHandler =>
  async (review, { request }) => {
    const { spec: { token = '', audiences = [] } = {} }: TokenReview = review;
    if (token === '') throw errors.malformedRequest('token is required for TokenReview in authentication');
    const outcome = await authenticator.authenticate({
      headers: { authorization: `Bearer ${token}` },
      clientCertificate: undefined,
      connection: {},
      signal: request.signal,
      audiences,
    });
    // The anonymous user has no token.
    if (outcome.kind !== 'user' || outcome.user.name === names.users.anonymous) {
      const error =
        outcome.kind === 'rejected' ? { error: outcome.clientMessage ?? 'invalid bearer token' } : {};
      return { ...review, status: { authenticated: false, ...error } };
    }
    const audiencesOfToken = outcome.audiences ?? [];
    // An authenticator that returns no audiences has not checked them.
    if (audiences.length > 0 && audiencesOfToken.length === 0) {
      return { ...review, status: { authenticated: false, error: 'invalid bearer token' } };
    }
    return {
      ...review,
      status: {
        authenticated: true,
        user: userInfo(outcome.user),
        ...(audiencesOfToken.length === 0 ? {} : { audiences: [...audiencesOfToken] }),
      },
    };
  };
