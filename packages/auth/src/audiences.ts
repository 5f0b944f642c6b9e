import { whenFulfilled } from '@orch/machinery/concurrency';
import type { Authentication, Authenticator } from './types.ts';

const wrongAudience: Authentication = {
  kind: 'rejected',
  reason: 'the token is not meant for any of the audiences',
};

/** Returns the audiences of `wanted` that are in `given`; `wanted` is `own` when absent or empty. */
export function sharedAudiences(
  wanted: readonly string[] | undefined,
  given: readonly string[],
  own: readonly string[],
): readonly string[] {
  return (wanted === undefined || wanted.length === 0 ? own : wanted).filter((one) => given.includes(one));
}

/**
 * Adds audiences to an authenticator whose credentials have none: they are valid for this server, with the audiences
 * `own`. Requests that require no audiences are passed on unchanged.
 */
export function withServerAudiences(authenticator: Authenticator, own: readonly string[]): Authenticator {
  const withAudiences = (outcome: Authentication, wanted: readonly string[]): Authentication => {
    if (outcome.kind !== 'user' || outcome.audiences !== undefined) return outcome;
    const audiences = sharedAudiences(wanted, own, own);
    return audiences.length === 0 && wanted.length > 0 ? wrongAudience : { ...outcome, audiences };
  };
  return {
    authenticate(credentials) {
      const { audiences } = credentials;
      const outcome = authenticator.authenticate(credentials);
      if (audiences === undefined) return outcome;
      return whenFulfilled(outcome, withAudiences, audiences);
    },
  };
}
