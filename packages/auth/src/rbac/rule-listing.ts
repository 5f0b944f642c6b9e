import { everythingListed } from '../authorizers.ts';
import type { RuleListing, UserInfo } from '../types.ts';
import type { RbacPolicy } from './policy.ts';
import type { PolicyRule } from './policy-rule.ts';

/** The rules of a user in a namespace without duplicates, for reviews of permissions. */
export function listedRules(
  policy: RbacPolicy,
  user: UserInfo,
  namespace: string,
  mayEverything: boolean,
): RuleListing {
  if (mayEverything) return everythingListed;
  const resourceRules = new Map<string, RuleListing['resourceRules'][number]>();
  const pathRules = new Map<string, RuleListing['pathRules'][number]>();
  const missing = new Set<string>();
  for (const { rule, binding } of policy.grants(user, namespace, (role) => missing.add(role))) {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule = rule.rule;
    if (nonResourceURLs.length === 0) {
      const listed = { verbs, apiGroups, resources, resourceNames };
      resourceRules.set(JSON.stringify(listed), listed);
    } else if (binding.namespace === '') {
      const listed = { verbs, nonResourceURLs };
      pathRules.set(JSON.stringify(listed), listed);
    }
  }
  return {
    resourceRules: [...resourceRules.values()],
    pathRules: [...pathRules.values()],
    incomplete: [...missing].map((role) => `there is no role ${JSON.stringify(role.replace(/^\//, ''))}`),
  };
}
