import { whenFulfilled } from '@orch/machinery/concurrency';
import type { Attributes, Authorizer, Decision, ExplainedDecision, RuleListing, UserInfo } from './types.ts';

const allowed: Decision = { verdict: 'allow', reason: '' };
const denied: Decision = { verdict: 'deny', reason: 'Everything is forbidden.' };

/** Rules of users who may do everything. */
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
 * The first authorizer with an opinion decides; without one the decision is `noOpinion`, which means no. Synchronous as
 * long as the authorizers are. Rules are those of all authorizers together, which may permit more than is allowed when
 * one of them denies.
 */
export function firstOpinion(authorizers: readonly Authorizer[]): Authorizer {
  const [only] = authorizers;
  if (authorizers.length === 1 && only !== undefined) return only;
  return {
    authorize: (attributes, request) => opinionFrom({ authorizers, attributes, request }, 0, []),
    explain: (attributes, request) => explainedInOrder(authorizers, attributes, request),
    rules: (user, namespace) => joined(authorizers, user, namespace),
  };
}

/** An authorizer, even one that reports nothing besides its decision. */
export async function explainedBy(
  authorizer: Authorizer,
  attributes: Attributes,
  request: { readonly signal: AbortSignal },
): Promise<readonly ExplainedDecision[]> {
  if (authorizer.explain !== undefined) return authorizer.explain(attributes, request);
  const decision = await authorizer.authorize(attributes, request);
  return [{ authorizer: '', decision, grants: [] }];
}

async function explainedInOrder(
  authorizers: readonly Authorizer[],
  attributes: Attributes,
  request: { readonly signal: AbortSignal },
): Promise<readonly ExplainedDecision[]> {
  const explained: ExplainedDecision[] = [];
  for (const authorizer of authorizers) {
    const own = await explainedBy(authorizer, attributes, request);
    explained.push(...own);
    if (own.some(({ decision }) => decision.verdict !== 'noOpinion')) break;
  }
  return explained;
}

interface Question {
  readonly authorizers: readonly Authorizer[];
  readonly attributes: Attributes;
  readonly request: { readonly signal: AbortSignal };
}

/** The decision of the authorizers from `index` on; the authorizers before it gave `reasons`. */
function opinionFrom(
  question: Question,
  index: number,
  reasons: readonly string[],
): Decision | Promise<Decision> {
  const authorizer = question.authorizers[index];
  if (authorizer === undefined) return { verdict: 'noOpinion', reason: reasons.join(', ') };
  const decision = authorizer.authorize(question.attributes, question.request);
  return whenFulfilled(decision, decideOrContinue, question, index, reasons);
}

const decideOrContinue = (
  decision: Decision,
  question: Question,
  index: number,
  reasons: readonly string[],
): Decision | Promise<Decision> =>
  decision.verdict === 'noOpinion'
    ? opinionFrom(question, index + 1, withReason(reasons, decision))
    : decision;

const withReason = (reasons: readonly string[], { reason }: Decision): readonly string[] =>
  reason === '' ? reasons : [...reasons, reason];

/** The rules of one authorizer, also of one that lists none. */
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
