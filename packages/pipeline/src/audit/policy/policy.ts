import type { Attributes } from '@orch/auth';
import type { AuditDecision, AuditLevel, AuditStage } from '../event/types.ts';

export interface AuditedResources {
  readonly group: string;
  /** Empty for all resources of the group. */
  readonly resources: readonly string[];
  /** Empty for all names. */
  readonly resourceNames: readonly string[];
}

/** One rule of a policy; an empty list matches everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly AuditedResources[];
  /** The empty string matches cluster-scoped objects. */
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** Determines the audit level of a request. */
export type AuditPolicyEvaluator = (attributes: Attributes) => AuditDecision;

const nothing: AuditDecision = { level: 'None', omitStages: new Set(), omitManagedFields: false };

/** The first matching rule applies; requests that match none are not recorded. */
export function auditPolicyEvaluator(policy: AuditPolicy): AuditPolicyEvaluator {
  const rules = policy.rules.map((rule) => {
    const decision: AuditDecision = {
      level: rule.level,
      omitStages: new Set([...policy.omitStages, ...rule.omitStages]),
      omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields,
    };
    return { rule, decision };
  });
  return (attributes) => rules.find(({ rule }) => matches(rule, attributes))?.decision ?? nothing;
}

const admits = (list: readonly string[], value: string): boolean => list.length === 0 || list.includes(value);

function matches(rule: AuditRule, attributes: Attributes): boolean {
  const { user, verb } = attributes;
  if (!admits(rule.users, user.name) || !admits(rule.verbs, verb)) return false;
  if (rule.userGroups.length > 0 && !rule.userGroups.some((group) => user.groups.includes(group)))
    return false;
  if (rule.resources.length > 0 || rule.namespaces.length > 0) {
    if (!attributes.isResource || !admits(rule.namespaces, attributes.namespace)) return false;
    return rule.resources.length === 0 || rule.resources.some((entry) => matchesEntry(entry, attributes));
  }
  if (rule.nonResourceURLs.length === 0) return true;
  return !attributes.isResource && rule.nonResourceURLs.some((url) => matchesUrl(url, attributes.path));
}

function matchesEntry(
  { group, resources, resourceNames }: AuditedResources,
  attributes: Attributes & { readonly isResource: true },
): boolean {
  if (group !== attributes.group || !admits(resourceNames, attributes.name)) return false;
  return resources.length === 0 || resources.some((pattern) => matchesResource(pattern, attributes));
}

/** `*`, `pods`, `pods/log`, `pods/*` for every subresource of pods, or one subresource of every resource. */
function matchesResource(
  pattern: string,
  { resource, subresource }: { readonly resource: string; readonly subresource: string },
): boolean {
  if (pattern === '*') return true;
  if (subresource === '') return pattern === resource;
  const slash = pattern.indexOf('/');
  if (slash < 0) return false;
  const [ofResource, ofSubresource] = [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (
    (ofResource === '*' || ofResource === resource) &&
    (ofSubresource === '*' || ofSubresource === subresource)
  );
}

const matchesUrl = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
