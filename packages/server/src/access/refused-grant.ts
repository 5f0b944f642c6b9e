import type { PolicyRule, UncoveredRules, UserInfo } from '@orch/auth';
import { type ApiError, errors, type Subject } from '@orch/machinery';

/** Bounds on the rules that a refusal lists, and on the length of each: both are chosen by the client. */
const MAX_REPORTED = 20;
const MAX_LENGTH = 200;

/** The refusal of a write that grants permissions which its author does not hold; lists the missing rules. */
export function refusedGrant(
  subject: Subject,
  user: UserInfo,
  { missing, tooLarge }: UncoveredRules,
): ApiError {
  const who = `user ${JSON.stringify(user.name)} in the groups ${JSON.stringify(user.groups)}`;
  const reported = missing.slice(0, MAX_REPORTED).map((rule) => shortened(sentence(rule)));
  const more = missing.length > MAX_REPORTED ? [`${missing.length - MAX_REPORTED} more`] : [];
  const large = tooLarge ? ['the rules are too many to be compared completely'] : [];
  return errors.forbidden(
    subject,
    `${who} cannot grant permissions without having them: ${[...reported, ...more, ...large].join('; ')}`,
  );
}

/** `get, list of "secrets"`, `* of "deployments" in group "apps"`, `get of path "/metrics"`. */
function sentence({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const what = verbs.join(', ');
  if (nonResourceURLs.length > 0) return `${what} of path ${quoted(nonResourceURLs)}`;
  const where = apiGroups.every((group) => group === '') ? '' : ` in group ${quoted(apiGroups)}`;
  const named = resourceNames.length === 0 ? '' : ` named ${quoted(resourceNames)}`;
  return `${what} of ${quoted(resources)}${where}${named}`;
}

const quoted = (words: readonly string[]): string => words.map((word) => JSON.stringify(word)).join(', ');

const shortened = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
