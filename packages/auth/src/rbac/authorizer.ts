import type { Names } from '@orch/machinery';
import type { Attributes, Authorizer, Decision, PathAttributes, ResourceAttributes } from '../types.ts';
import { eachAllowing, matchesPath, resourceQuestion } from './compiled-rule.ts';
import { type Answers, DecisionCache } from './decision-cache.ts';
import { explainedGrants } from './explained-grants.ts';
import type { RbacPolicy } from './policy.ts';
import type { CompiledBinding, RoleKey, SubjectKey } from './policy-objects.ts';
import { listedRules } from './rule-listing.ts';

/** Maximum number of missing roles in the reason of a refusal. */
const MAX_REPORTED_ROLES = 3;

const unknownYet: Decision = { verdict: 'noOpinion', reason: 'RBAC: the access rules are not loaded yet' };

/**
 * Authorization mode `RBAC` (access-control document, 2.8 and 5.12): allows an operation if a role allows it that is
 * bound to the user, one of its groups, or the service account that it is; has no opinion on anything else. The group
 * of masters may do everything, independent of roles, so that operators cannot be locked out.
 */
export function rbacAuthorizer(policy: RbacPolicy, names: Names): Authorizer {
  const { masters } = names.userGroups;
  const mastersMay: Decision = { verdict: 'allow', reason: `RBAC: the group ${masters} may do everything` };
  const cache = new DecisionCache();

  function decide(attributes: Attributes): Decision {
    if (!attributes.isResource) return answersOf(attributes, pathQuestion(attributes)).any;
    const { any, named } = answersOf(attributes, textOf(attributes));
    return named?.get(attributes.name) ?? any;
  }

  function answersOf(attributes: Attributes, question: string): Answers {
    const { generation } = policy;
    const cached = cache.get(attributes.user, generation, question);
    if (cached !== undefined) return cached;
    const answers = attributes.isResource
      ? resourceAnswers(policy, attributes)
      : pathAnswers(policy, attributes);
    cache.set(attributes.user, generation, question, answers);
    return answers;
  }

  return {
    authorize(attributes, { signal }) {
      if (attributes.user.groups.includes(masters)) return mastersMay;
      const loading = policy.loaded(signal);
      if (loading === undefined) return decide(attributes);
      // Health probes get an immediate answer; other requests wait for the policy, because a wrong refusal would be
      // worse.
      return attributes.isResource ? loading.then(() => decide(attributes)) : unknownYet;
    },
    async explain(attributes, { signal }) {
      const { user } = attributes;
      const isMaster = user.groups.includes(masters);
      await policy.loaded(signal);
      const decision = isMaster ? mastersMay : decide(attributes);
      return [{ authorizer: 'RBAC', decision, grants: isMaster ? [] : explainedGrants(policy, attributes) }];
    },
    rules: (user, namespace) => listedRules(policy, user, namespace, user.groups.includes(masters)),
  };
}

const SEPARATOR = '\n';

const textOf = ({ verb, group, resource, subresource, namespace }: ResourceAttributes): string =>
  `${verb}\n${group}\n${resource}\n${subresource}\n${namespace}`;

const pathQuestion = ({ verb, path }: PathAttributes): string => SEPARATOR + verb + SEPARATOR + path;

/** Paths belong to the server: only cluster-wide bindings count. */
function pathAnswers(policy: RbacPolicy, { user, verb, path }: PathAttributes): Answers {
  const missing = new Set<RoleKey>();
  let allowed: Decision | undefined;
  policy.eachRole(user, '', (role, { binding }, subject) => {
    if (role === undefined) missing.add(binding.role);
    else if (role.index.onPaths.some((rule) => matchesPath(rule, verb, path))) {
      allowed = allowedBy(binding, subject);
      return false;
    }
    return true;
  });
  return { any: allowed ?? refused(missing), named: undefined };
}

function resourceAnswers(policy: RbacPolicy, attributes: ResourceAttributes): Answers {
  const question = resourceQuestion(attributes);
  const missing = new Set<RoleKey>();
  let named: Map<string, Decision> | undefined;
  let allowed: Decision | undefined;
  policy.eachRole(attributes.user, attributes.namespace, (role, { binding }, subject) => {
    if (role === undefined) {
      missing.add(binding.role);
      return true;
    }
    return eachAllowing(role.index, question, ({ names }) => {
      const decision = allowedBy(binding, subject);
      if (names === undefined) {
        allowed = decision;
        return false;
      }
      named ??= new Map();
      for (const name of names) if (!named.has(name)) named.set(name, decision);
      return true;
    });
  });
  return allowed === undefined ? { any: refused(missing), named } : { any: allowed, named: undefined };
}

function allowedBy(binding: CompiledBinding, subject: SubjectKey): Decision {
  const where = binding.namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  const name = binding.namespace === '' ? binding.name : `${binding.name}/${binding.namespace}`;
  const whom = `${subject.startsWith('u') ? 'User' : 'Group'} ${JSON.stringify(subject.slice(1))}`;
  return {
    verdict: 'allow',
    reason: `RBAC: allowed by ${where} ${JSON.stringify(name)} of ${roleText(binding.role)} to ${whom}`,
  };
}

const roleText = (role: RoleKey): string =>
  role.startsWith('/')
    ? `ClusterRole ${JSON.stringify(role.slice(1))}`
    : `Role ${JSON.stringify(role.slice(role.indexOf('/') + 1))}`;

function refused(missing: ReadonlySet<RoleKey>): Decision {
  const reported = [...missing].slice(0, MAX_REPORTED_ROLES).map((role) => `${roleText(role)} not found`);
  return { verdict: 'noOpinion', reason: reported.length === 0 ? '' : `RBAC: ${reported.join(', ')}` };
}
