import { type ApiObject, type FieldError, fieldError, type Names } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asObject, asObjects, asStrings, asText, type JsonObject } from '../../read.ts';
import { checkFormat } from '../../validation-rules.ts';

const has = (rule: JsonObject, member: string): boolean => asStrings(rule[member]).length > 0;

/** A rule speaks of resources or of URL paths, not of both. That it has verbs is said beside its declaration. */
export const checkPolicyRule: Check = (rule, { path }) => {
  if (has(rule, 'nonResourceURLs')) {
    const both = has(rule, 'apiGroups') || has(rule, 'resources') || has(rule, 'resourceNames');
    const why = 'rules cannot apply to both regular resources and non-resource URLs';
    return both ? [fieldError.invalid(`${path}.nonResourceURLs`, rule['nonResourceURLs'], why)] : [];
  }
  return (['apiGroups', 'resources'] as const)
    .filter((member) => !has(rule, member))
    .map((member) => fieldError.required(`${path}.${member}`, 'resource rules must supply at least one'));
};

/** Rules of a namespace cannot speak of URL paths, which belong to the server. */
export const checkNamespacedRules: Check = (role) =>
  asObjects(role['rules']).flatMap((rule, i) =>
    has(rule, 'nonResourceURLs')
      ? [
          fieldError.invalid(
            `rules[${i}].nonResourceURLs`,
            rule['nonResourceURLs'],
            'namespaced rules cannot apply to non-resource URLs',
          ),
        ]
      : [],
  );

const subjectKinds = ['ServiceAccount', 'User', 'Group'];

/** What kind, group and namespace of a subject have to do with each other. */
function checkSubject(
  path: string,
  subject: JsonObject,
  rules: { readonly group: string; readonly namespaced: boolean },
): readonly FieldError[] {
  const kind = asText(subject['kind']);
  const apiGroup = asText(subject['apiGroup']);
  const name = asText(subject['name']);
  if (kind === 'User' || kind === 'Group') {
    if (apiGroup === rules.group) return [];
    return [fieldError.notSupported(`${path}.apiGroup`, apiGroup, [rules.group])];
  }
  if (kind !== 'ServiceAccount') return [fieldError.notSupported(`${path}.kind`, kind, subjectKinds)];
  const errors: FieldError[] = [];
  if (name !== '') errors.push(...checkFormat('dns1123subdomain', `${path}.name`, name));
  if (apiGroup !== '') errors.push(fieldError.notSupported(`${path}.apiGroup`, apiGroup, ['']));
  if (!rules.namespaced && asText(subject['namespace']) === '') {
    errors.push(fieldError.required(`${path}.namespace`));
  }
  return errors;
}

/**
 * The rules of bindings, for the form of the hub: whichever version a client speaks, its subjects are compared as those
 * of the hub are.
 */
export function validateBinding(
  binding: ApiObject,
  names: Names,
  namespaced: boolean,
): readonly FieldError[] {
  const group = names.group('rbac');
  const { apiGroup, kind } = asObject(binding['roleRef']);
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...(apiGroup === group ? [] : [fieldError.notSupported('roleRef.apiGroup', apiGroup, [group])]),
    ...(kinds.includes(asText(kind)) ? [] : [fieldError.notSupported('roleRef.kind', kind, kinds)]),
    ...asObjects(binding['subjects']).flatMap((subject, i) =>
      checkSubject(`subjects[${i}]`, subject, { group, namespaced }),
    ),
  ];
}
