import type { Attributes, ExplainedGrant } from '../types.ts';
import {
  allows,
  type CompiledRule,
  eachAllowing,
  indexRules,
  matchesPath,
  resourceQuestion,
} from './compiled-rule.ts';
import type { RbacPolicy } from './policy.ts';
import type { CompiledBinding, CompiledRole, RoleKey, SubjectKey } from './policy-objects.ts';

/** All grants of bindings to the user in the scope of the request, and their relation to the request. */
export function explainedGrants(policy: RbacPolicy, attributes: Attributes): readonly ExplainedGrant[] {
  const grants: ExplainedGrant[] = [];
  const namespace = attributes.isResource ? attributes.namespace : '';
  policy.eachRole(attributes.user, namespace, (role, { binding }, subject) => {
    grants.push({ ...placeOf(binding, subject), ...relationOf(role, attributes) });
    return true;
  });
  return grants;
}

type Relation = Pick<ExplainedGrant, 'relation' | 'rules'>;

function relationOf(role: CompiledRole | undefined, attributes: Attributes): Relation {
  if (role === undefined) return { relation: 'missing', rules: [] };
  const allowing = role.rules.filter((rule) => allows(rule, attributes));
  if (allowing.length > 0) return { relation: 'allows', rules: allowing.map(({ rule }) => rule) };
  const close = role.rules.filter((rule) => isAbout(rule, attributes));
  return { relation: close.length > 0 ? 'close' : 'unrelated', rules: close.map(({ rule }) => rule) };
}

/** Reports whether the rule would allow another verb, or the same for another object. */
function isAbout(rule: CompiledRule, attributes: Attributes): boolean {
  return rule.rule.verbs.some((verb) => {
    if (!attributes.isResource) return matchesPath(rule, verb, attributes.path);
    let found = false;
    eachAllowing(indexRules([rule]), resourceQuestion({ ...attributes, verb }), () => {
      found = true;
      return false;
    });
    return found;
  });
}

function placeOf(
  { namespace, name, role }: CompiledBinding,
  subject: SubjectKey,
): Pick<ExplainedGrant, 'binding' | 'role' | 'subject'> {
  return {
    binding: { namespace, name },
    role: namedRole(role),
    subject: { kind: subject.startsWith('u') ? 'User' : 'Group', name: subject.slice(1) },
  };
}

function namedRole(key: RoleKey): ExplainedGrant['role'] {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
