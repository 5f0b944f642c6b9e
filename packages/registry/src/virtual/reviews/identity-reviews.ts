import type { Authenticator, UserInfo } from '@orch/auth';
import { asObject, asStrings, asText, errors, type Names } from '@orch/machinery';
import type { ReviewHandler } from '../review-resource.ts';

/** A user as reviews show it. */
const shown = ({ name, uid, groups, extra }: UserInfo) => ({
  username: name,
  ...(uid === '' ? {} : { uid }),
  groups: [...groups],
  extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
});

/** Who am I? */
export const selfSubjectReview: ReviewHandler = (review, { user }) => ({
  ...review,
  status: { userInfo: shown(user) },
});

/**
 * Whose token is this (access-control document, 2.2)? It is tried as if it came in a request of its own: without the
 * certificate, and without the connection, of whoever asks. A token that is meant for none of the audiences asked about
 * is nobody's; without any, it must be meant for this server. Why a token is nobody's is not said, but for the error that
 * the token webhook answers with.
 */
export const tokenReview =
  (authenticator: Authenticator, names: Names): ReviewHandler =>
  async (review, { request }) => {
    const { token, audiences } = questionOf(review);
    if (token === '') throw errors.malformedRequest('token is required for TokenReview in authentication');
    const outcome = await authenticator.authenticate({
      headers: { authorization: `Bearer ${token}` },
      clientCertificate: undefined,
      connection: {},
      signal: request.signal,
      audiences,
    });
    // Nobody in particular is no user that a token could stand for.
    if (outcome.kind !== 'user' || outcome.user.name === names.users.anonymous) {
      const error = outcome.kind === 'rejected' ? { error: outcome.told ?? 'invalid bearer token' } : {};
      return { ...review, status: { authenticated: false, ...error } };
    }
    const meant = outcome.audiences ?? [];
    // Who says nothing of audiences has not looked at them.
    if (audiences.length > 0 && meant.length === 0) {
      return { ...review, status: { authenticated: false, error: 'invalid bearer token' } };
    }
    return {
      ...review,
      status: {
        authenticated: true,
        user: shown(outcome.user),
        ...(meant.length === 0 ? {} : { audiences: [...meant] }),
      },
    };
  };

interface Question {
  readonly token: string;
  readonly audiences: readonly string[];
}

function questionOf({ spec }: Readonly<Record<string, unknown>>): Question {
  const { token, audiences } = asObject(spec);
  return {
    token: asText(token),
    audiences: asStrings(audiences),
  };
}
