import type {
  NonResourcePolicyRuleV1beta3,
  PolicyRulesWithSubjectsV1beta3,
  ResourcePolicyRuleV1beta3,
  SubjectV1beta3,
} from '@orch/kinds/flowcontrol';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../../validation-rules.ts';

const ALL = '*';

type SubjectField = 'user' | 'group' | 'serviceAccount';

const fields: Readonly<Record<string, SubjectField>> = {
  User: 'user',
  Group: 'group',
  ServiceAccount: 'serviceAccount',
};

/** Checks that the field named by the kind is set, and no other. */
export const checkSubject: Check<SubjectV1beta3> = (subject, { path }) => {
  const kind = subject.kind ?? '';
  const wanted = Object.hasOwn(fields, kind) ? fields[kind] : undefined;
  if (wanted === undefined) return [fieldError.notSupported(`${path}.kind`, kind, Object.keys(fields))];
  const errors: FieldError[] = [];
  if (subject[wanted] === undefined) {
    errors.push(fieldError.required(`${path}.${wanted}`, `is required when subject kind is '${kind}'`));
  }
  for (const [other, field] of Object.entries(fields)) {
    if (field === wanted || subject[field] === undefined) continue;
    const why = `is forbidden when subject kind is not '${other}'`;
    errors.push(fieldError.forbidden(`${path}.${field}`, why));
  }
  return [...errors, ...checkNames(subject, wanted, `${path}.${wanted}`)];
};

/** Checks the names in the field that the kind names. */
function checkNames(subject: SubjectV1beta3, field: SubjectField, path: string): readonly FieldError[] {
  const named = subject[field];
  if (named === undefined) return [];
  const name = named.name ?? '';
  const missing = name === '' ? [fieldError.required(`${path}.name`)] : [];
  if (field !== 'serviceAccount') return missing;
  const namespace = subject.serviceAccount?.namespace ?? '';
  return [
    ...(namespace === ''
      ? [fieldError.required(`${path}.namespace`, 'must specify namespace for service account')]
      : checkFormat('dns1123label', `${path}.namespace`, namespace)),
    ...missing,
    ...(name === '' || name === ALL ? [] : checkFormat('dns1123subdomain', `${path}.name`, name)),
  ];
}

/** Checks that a wildcard is the only item of its list. */
function checkAll(path: string, list: string, values: readonly string[] | null = []): readonly FieldError[] {
  if (values === null) return [];
  if (values.length < 2 || !values.includes(ALL)) return [];
  return [fieldError.invalid(`${path}.${list}`, values, `if '${ALL}' is present, must not specify others`)];
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** Checks that a rule has known verbs, or the wildcard alone; errors name the list. */
function checkVerbs(path: string, values: readonly string[] | null = []): readonly FieldError[] {
  if (values === null || values.includes(ALL)) return checkAll(path, 'verbs', values);
  return values.every((verb) => verbs.includes(verb))
    ? []
    : [fieldError.notSupported(`${path}.verbs`, values.join(), verbs)];
}

function checkNamespaces(path: string, rule: ResourcePolicyRuleV1beta3): readonly FieldError[] {
  const namespaces = rule.namespaces ?? [];
  if (namespaces.length === 0 && rule.clusterScope !== true) {
    const why = 'resource rules that are not cluster scoped must supply at least one namespace';
    return [fieldError.required(`${path}.namespaces`, why)];
  }
  if (namespaces.includes(ALL)) return checkAll(path, 'namespaces', namespaces);
  return namespaces.flatMap((name, i) => checkFormat('dns1123label', `${path}.namespaces[${i}]`, name));
}

/** The declarations of the lists require at least one item. */
export const checkResourceRule: Check<ResourcePolicyRuleV1beta3> = (rule, { path }) => [
  ...checkVerbs(path, rule.verbs),
  ...(['apiGroups', 'resources'] as const).flatMap((list) => checkAll(path, list, rule[list])),
  ...checkNamespaces(path, rule),
];

/** The problem of a path pattern; undefined when it is valid. */
function pathProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const wildcard = url.indexOf(ALL);
  const suffix = wildcard === url.length - 1 && url.endsWith(`/${ALL}`);
  return wildcard < 0 || suffix ? undefined : 'wildcard can only do suffix matching';
}

export const checkNonResourceRule: Check<NonResourcePolicyRuleV1beta3> = (rule, { path }) => {
  const urls = rule.nonResourceURLs ?? [];
  const errors = [
    ...checkVerbs(path, rule.verbs),
    ...checkAll(path, 'nonResourceURLs', rule.nonResourceURLs),
  ];
  if (urls.includes(ALL)) return errors;
  const wrong = urls.flatMap((url, i) => {
    const why = pathProblem(url);
    return why === undefined ? [] : [fieldError.invalid(`${path}.nonResourceURLs[${i}]`, url, why)];
  });
  return [...errors, ...wrong];
};

/** Rules without resources and paths match nothing. */
export const checkPolicyRules: Check<PolicyRulesWithSubjectsV1beta3> = (rules, { path }) => {
  const some = [...(rules.resourceRules ?? []), ...(rules.nonResourceRules ?? [])].length > 0;
  const why = 'at least one of resourceRules and nonResourceRules has to be non-empty';
  return some ? [] : [fieldError.required(path, why)];
};
