import type { LabelSelector } from '@orch/kinds/meta';
import type { AggregationRule, PolicyRule, Role, RoleBinding, Subject } from '@orch/kinds/rbac';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { labelSelectorFromObject, SelectorError } from '@orch/machinery/selectors';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../validation-rules.ts';

const has = (rule: PolicyRule, list: keyof PolicyRule): boolean => (rule[list] ?? []).length > 0;

/** Checks that a rule has either resources or URL paths. Its declaration requires verbs. */
export const checkPolicyRule: Check<PolicyRule> = (rule, { path }) => {
  if (has(rule, 'nonResourceURLs')) {
    const both = has(rule, 'apiGroups') || has(rule, 'resources') || has(rule, 'resourceNames');
    const why = 'rules cannot apply to both regular resources and non-resource URLs';
    return both ? [fieldError.invalid(`${path}.nonResourceURLs`, rule.nonResourceURLs, why)] : [];
  }
  return (['apiGroups', 'resources'] as const)
    .filter((field) => !has(rule, field))
    .map((field) => fieldError.required(`${path}.${field}`, 'resource rules must supply at least one'));
};

function isUnparsable(selector: LabelSelector): boolean {
  try {
    labelSelectorFromObject(selector);
    return false;
  } catch (error) {
    if (error instanceof SelectorError) return true;
    throw error;
  }
}

/** Checks that roles can be selected. The parts of a selector are checked by themselves too. */
export const checkAggregation: Check<AggregationRule> = ({ clusterRoleSelectors = [] }, { path }) =>
  clusterRoleSelectors.flatMap((selector, i) =>
    isUnparsable(selector)
      ? [fieldError.invalid(`${path}.clusterRoleSelectors[${i}]`, selector, 'invalid label selector')]
      : [],
  );

/** Checks that rules of a namespace have no URL paths, which do not belong to namespaces. */
export const checkNamespacedRules: Check<Role> = (role) =>
  (role.rules ?? []).flatMap((rule, i) =>
    has(rule, 'nonResourceURLs')
      ? [
          fieldError.invalid(
            `rules[${i}].nonResourceURLs`,
            rule.nonResourceURLs,
            'namespaced rules cannot apply to non-resource URLs',
          ),
        ]
      : [],
  );

const subjectKinds = ['ServiceAccount', 'User', 'Group'];

/** Checks that the kind, the API group and the namespace of a subject fit each other. */
function checkSubject(
  path: string,
  subject: Subject,
  rules: { readonly group: string; readonly namespaced: boolean },
): readonly FieldError[] {
  const kind = subject.kind ?? '';
  const apiGroup = subject.apiGroup ?? '';
  const name = subject.name ?? '';
  if (kind === 'User' || kind === 'Group') {
    if (apiGroup === rules.group) return [];
    return [fieldError.notSupported(`${path}.apiGroup`, apiGroup, [rules.group])];
  }
  if (kind !== 'ServiceAccount') return [fieldError.notSupported(`${path}.kind`, kind, subjectKinds)];
  const errors: FieldError[] = [];
  if (name !== '') errors.push(...checkFormat('dns1123subdomain', `${path}.name`, name));
  if (apiGroup !== '') errors.push(fieldError.notSupported(`${path}.apiGroup`, apiGroup, ['']));
  if (!rules.namespaced && (subject.namespace ?? '') === '') {
    errors.push(fieldError.required(`${path}.namespace`));
  }
  return errors;
}

/** Checks bindings in the hub version: subjects of all versions are compared in that of the hub. */
export function validateBinding(
  binding: RoleBinding,
  names: Names,
  namespaced: boolean,
): readonly FieldError[] {
  const group = names.group('rbac');
  const { apiGroup, kind } = binding.roleRef ?? {};
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...(apiGroup === group ? [] : [fieldError.notSupported('roleRef.apiGroup', apiGroup, [group])]),
    ...(kinds.includes(kind ?? '') ? [] : [fieldError.notSupported('roleRef.kind', kind, kinds)]),
    ...(binding.subjects ?? []).flatMap((subject, i) =>
      checkSubject(`subjects[${i}]`, subject, { group, namespaced }),
    ),
  ];
}
