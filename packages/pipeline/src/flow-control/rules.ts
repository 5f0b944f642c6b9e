import type { Attributes, UserInfo } from '@orch/auth';
import type { PolicyRulesWithSubjectsV1beta3, ServiceAccountSubjectV1beta3 } from '@orch/kinds/flowcontrol';

/** A rule of a flow schema. It matches requests of one of its subjects that match a resource or non-resource rule. */
export type FlowRule = PolicyRulesWithSubjectsV1beta3;

const admits = (list: readonly string[] | null | undefined, value: string): boolean =>
  list?.includes('*') === true || list?.includes(value) === true;

/** Reports whether a subject of the rule matches a user. `accountPrefix` is the prefix of service account names. */
export function matchesUser({ subjects }: FlowRule, user: UserInfo, accountPrefix: string): boolean {
  return (subjects ?? []).some(({ kind, user: one, group, serviceAccount }) => {
    switch (kind) {
      case 'User':
        return one !== undefined && (one.name === '*' || one.name === user.name);
      case 'Group':
        return group !== undefined && (group.name === '*' || user.groups.includes(group.name ?? ''));
      case 'ServiceAccount':
        return serviceAccount !== undefined && isAccount(serviceAccount, user.name, accountPrefix);
      default:
        return false;
    }
  });
}

function isAccount(
  { namespace = '', name = '' }: ServiceAccountSubjectV1beta3,
  userName: string,
  prefix: string,
): boolean {
  const inNamespace = `${prefix}${namespace}:`;
  return name === '*' ? userName.startsWith(inNamespace) : userName === `${inNamespace}${name}`;
}

/** Reports whether a rule matches a request, regardless of the user. */
export function matchesRequest(
  { resourceRules = [], nonResourceRules = [] }: FlowRule,
  attributes: Attributes,
): boolean {
  if (!attributes.isResource) {
    return nonResourceRules.some(
      ({ verbs, nonResourceURLs }) =>
        admits(verbs, attributes.verb) && (nonResourceURLs ?? []).some((url) => covers(url, attributes.path)),
    );
  }
  const { verb, group, resource, subresource, namespace } = attributes;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  return resourceRules.some(
    (rule) =>
      admits(rule.verbs, verb) &&
      admits(rule.apiGroups, group) &&
      admits(rule.resources, what) &&
      (namespace === '' ? rule.clusterScope === true : admits(rule.namespaces, namespace)),
  );
}

const covers = (url: string, path: string): boolean =>
  url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path;
