import type { Authorizer, Decision } from './types.ts';

const allowed: Decision = { verdict: 'allow', reason: '' };
const denied: Decision = { verdict: 'deny', reason: 'Everything is forbidden.' };

/** Authorization mode `AlwaysAllow`. */
export const alwaysAllow: Authorizer = { authorize: () => allowed };

/** Authorization mode `AlwaysDeny`. */
export const alwaysDeny: Authorizer = { authorize: () => denied };

/** The first authorizer with an opinion decides; without one the answer is `noOpinion`, which means no. */
export function firstOpinion(authorizers: readonly Authorizer[]): Authorizer {
  const [only] = authorizers;
  if (authorizers.length === 1 && only !== undefined) return only;
  return {
    async authorize(attributes, request) {
      const reasons: string[] = [];
      for (const authorizer of authorizers) {
        const decision = await authorizer.authorize(attributes, request);
        if (decision.verdict !== 'noOpinion') return decision;
        if (decision.reason !== '') reasons.push(decision.reason);
      }
      return { verdict: 'noOpinion', reason: reasons.join(', ') };
    },
  };
}
