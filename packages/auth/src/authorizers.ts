import type { Attributes, Authorizer, Decision, RuleListing, UserInfo } from './types.ts';

const allowed: Decision = { verdict: 'allow', reason: '' };
const denied: Decision = { verdict: 'deny', reason: 'Everything is forbidden.' };

/** The rules of those who may do everything. */
export const everythingListed: RuleListing = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] }],
  pathRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: [],
};
const nothingListed: RuleListing = { resourceRules: [], pathRules: [], incomplete: [] };

/** Authorization mode `AlwaysAllow`. */
export const alwaysAllow: Authorizer = { authorize: () => allowed, rules: () => everythingListed };

/** Authorization mode `AlwaysDeny`. */
export const alwaysDeny: Authorizer = { authorize: () => denied, rules: () => nothingListed };

/**
 * The first authorizer with an opinion decides; without one the answer is `noOpinion`, which means no. Waits for nobody
 * when the authorizers do not. Rules are those of all together, which may be more than what is allowed where one of
 * them denies.
 */
export function firstOpinion(authorizers: readonly Authorizer[]): Authorizer {
  const [only] = authorizers;
  if (authorizers.length === 1 && only !== undefined) return only;
  return {
    authorize: (attributes, request) => opinionFrom(authorizers, 0, [], { attributes, request }),
    rules: (user, namespace) => joined(authorizers, user, namespace),
  };
}

interface Asked {
  readonly attributes: Attributes;
  readonly request: { readonly signal: AbortSignal };
}

function opinionFrom(
  authorizers: readonly Authorizer[],
  first: number,
  reasons: readonly string[],
  asked: Asked,
): Decision | Promise<Decision> {
  let before = reasons;
  for (let index = first; index < authorizers.length; index++) {
    const decision = authorizers[index]?.authorize(asked.attributes, asked.request);
    if (decision instanceof Promise) {
      const soFar = before;
      return decision.then((settled) =>
        settled.verdict === 'noOpinion'
          ? opinionFrom(authorizers, index + 1, withReason(soFar, settled), asked)
          : settled,
      );
    }
    if (decision === undefined) continue;
    if (decision.verdict !== 'noOpinion') return decision;
    before = withReason(before, decision);
  }
  return { verdict: 'noOpinion', reason: before.join(', ') };
}

const withReason = (reasons: readonly string[], { reason }: Decision): readonly string[] =>
  reason === '' ? reasons : [...reasons, reason];

/** Also what a single authorizer says that lists nothing. */
export function listedBy(authorizer: Authorizer, user: UserInfo, namespace: string): RuleListing {
  return (
    authorizer.rules?.(user, namespace) ?? {
      ...nothingListed,
      incomplete: ['an authorizer does not list what it decides by'],
    }
  );
}

function joined(authorizers: readonly Authorizer[], user: UserInfo, namespace: string): RuleListing {
  const listings = authorizers.map((authorizer) => listedBy(authorizer, user, namespace));
  return {
    resourceRules: listings.flatMap(({ resourceRules }) => resourceRules),
    pathRules: listings.flatMap(({ pathRules }) => pathRules),
    incomplete: [...new Set(listings.flatMap(({ incomplete }) => incomplete))],
  };
}
