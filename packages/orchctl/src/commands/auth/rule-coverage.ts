import { asStrings, type JsonObject } from '@orch/machinery/json';

/** A rule of a role with all of its lists. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export const policyRule = (rule: JsonObject): PolicyRule => ({
  verbs: asStrings(rule['verbs']),
  apiGroups: asStrings(rule['apiGroups']),
  resources: asStrings(rule['resources']),
  resourceNames: asStrings(rule['resourceNames']),
  nonResourceURLs: asStrings(rule['nonResourceURLs']),
});

/** The parts of `wanted` that no rule of `owned` permits, each with one verb and one resource or URL. */
export const uncovered = (
  owned: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): readonly PolicyRule[] => wanted.flatMap(parts).filter((part) => !owned.some((rule) => covers(rule, part)));

function parts(rule: PolicyRule): readonly PolicyRule[] {
  const none: PolicyRule = {
    ...{ verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] },
  };
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const ofResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          ...none,
          ...{ verbs: [verb], apiGroups: [group], resources: [resource], resourceNames },
        })),
      ),
    ),
  );
  const ofUrls = rule.nonResourceURLs.flatMap((url) =>
    rule.verbs.map((verb) => ({ ...none, verbs: [verb], nonResourceURLs: [url] })),
  );
  return [...ofResources, ...ofUrls];
}

function covers(rule: PolicyRule, part: PolicyRule): boolean {
  const hasNames =
    rule.resourceNames.length === 0 ||
    (part.resourceNames.length > 0 && part.resourceNames.every((name) => rule.resourceNames.includes(name)));
  return (
    matches(rule.verbs, part.verbs) &&
    matches(rule.apiGroups, part.apiGroups) &&
    part.resources.every((resource) => coversResource(rule.resources, resource)) &&
    hasNames &&
    part.nonResourceURLs.every((url) => rule.nonResourceURLs.some((one) => coversUrl(one, url)))
  );
}

const matches = (owned: readonly string[], wanted: readonly string[]): boolean =>
  owned.includes('*') || wanted.every((one) => owned.includes(one));

function coversResource(owned: readonly string[], resource: string): boolean {
  if (owned.includes('*') || owned.includes(resource)) return true;
  const subresource = resource.split('/')[1];
  return subresource !== undefined && owned.includes(`*/${subresource}`);
}

const coversUrl = (owned: string, url: string): boolean =>
  owned === url || owned === '*' || (owned.endsWith('*') && url.startsWith(owned.slice(0, -1)));

/** A rule as kubectl prints it. */
export const ruleText = (rule: PolicyRule): string => {
  const list = (texts: readonly string[]) => `[${texts.join(' ')}]`;
  return `{Verbs:${list(rule.verbs)} APIGroups:${list(rule.apiGroups)} Resources:${list(rule.resources)} ResourceNames:${list(rule.resourceNames)} NonResourceURLs:${list(rule.nonResourceURLs)}}`;
};

/** A rule for the server, without empty lists. */
export const ruleObject = (rule: PolicyRule): JsonObject =>
  Object.fromEntries(Object.entries(rule).filter(([, list]: [string, readonly string[]]) => list.length > 0));
