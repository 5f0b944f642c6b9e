import type { Names } from '@orch/machinery';
import type { Attributes, Authorizer, Decision, UserInfo } from '../types.ts';
import type { AbacPolicy } from './policy-file.ts';

const ALL = '*';
const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const allowed: Decision = { verdict: 'allow', reason: '' };
const noOpinion: Decision = { verdict: 'noOpinion', reason: 'no line of the policy file allows it' };

const matches = (word: string, value: string): boolean => word === ALL || word === value;

/**
 * Authorization mode `ABAC`: a request is allowed if a line of the policy file allows it; nothing is denied. `*` as
 * user or group matches every authenticated user: anonymous needs a separate line (access-control document, 5.9).
 */
export function abacAuthorizer(policies: readonly AbacPolicy[], names: Names): Authorizer {
  const everybody = names.userGroups.authenticated;
  const lines = policies.map((policy) =>
    policy.user === ALL || policy.group === ALL ? { ...policy, user: '', group: everybody } : policy,
  );
  return {
    authorize: (attributes) =>
      lines.some((policy) => isOf(policy, attributes.user) && allows(policy, attributes))
        ? allowed
        : noOpinion,
    rules(user) {
      const own = lines.filter((policy) => isOf(policy, user));
      return {
        resourceRules: own
          .filter(({ resource }) => resource !== '')
          .map((policy) => ({
            verbs: verbsOf(policy),
            apiGroups: [policy.apiGroup],
            resources: [policy.resource],
            resourceNames: [],
          })),
        pathRules: own
          .filter(({ nonResourcePath }) => nonResourcePath !== '')
          .map((policy) => ({ verbs: verbsOf(policy), nonResourceURLs: [policy.nonResourcePath] })),
        incomplete: [],
      };
    },
  };
}

const verbsOf = (policy: AbacPolicy): readonly string[] => (policy.readonly ? [...readVerbs] : [ALL]);

/** A line with user and group applies to that user while they are in the group. */
const isOf = ({ user, group }: AbacPolicy, asking: UserInfo): boolean =>
  (user === '' || user === asking.name) && (group === '' || asking.groups.includes(group));

function allows(policy: AbacPolicy, attributes: Attributes): boolean {
  if (policy.readonly && !readVerbs.has(attributes.verb)) return false;
  if (!attributes.isResource) return allowsPath(policy.nonResourcePath, attributes.path);
  return (
    matches(policy.namespace, attributes.namespace) &&
    matches(policy.resource, attributes.resource) &&
    matches(policy.apiGroup, attributes.group)
  );
}

/** A trailing `*` matches any suffix. */
const allowsPath = (word: string, path: string): boolean =>
  word === path || (word.endsWith(ALL) && path.startsWith(word.slice(0, -1)));
