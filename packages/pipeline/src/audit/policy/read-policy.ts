import type { Names } from '@orch/machinery';
import { ConfigValue } from '@orch/machinery/yaml';
import { type AuditStage, auditLevels, auditStages } from '../event/types.ts';
import type { AuditedResources, AuditPolicy, AuditRule } from './policy.ts';

/**
 * Reads a policy file (facts: event-audit). `versions` are the versions of its group that the release supports. Throws a
 * `ConfigFileError` for anything ambiguous.
 */
export function readAuditPolicy(
  { text, file }: { readonly text: string; readonly file: string },
  names: Names,
  versions: readonly string[],
): AuditPolicy {
  const apiVersions = versions.map((version) => names.apiVersion('audit', version));
  const field = ConfigValue.parse(text, file).document({ kind: 'Policy', apiVersions }, [
    'rules',
    'omitStages',
    'omitManagedFields',
  ]);
  const rules = field('rules');
  if (rules.list().length === 0) rules.fail('must have at least one rule');
  return {
    rules: rules.list().map(readRule),
    omitStages: readStages(field('omitStages')),
    omitManagedFields: field('omitManagedFields').flag() ?? false,
  };
}

const RULE_FIELDS = [
  'level',
  'users',
  'userGroups',
  'verbs',
  'resources',
  'namespaces',
  'nonResourceURLs',
  'omitStages',
  'omitManagedFields',
] as const;

function readRule(rule: ConfigValue): AuditRule {
  const field = rule.object(RULE_FIELDS);
  const resources = field('resources').list().map(readResources);
  const [namespaces, nonResourceURLs] = [field('namespaces').texts(), field('nonResourceURLs').texts()];
  if (nonResourceURLs.length > 0 && resources.length + namespaces.length > 0) {
    field('nonResourceURLs').fail('must not be combined with resources or namespaces');
  }
  for (const url of field('nonResourceURLs').list()) checkUrl(url);
  const omitManagedFields = field('omitManagedFields').flag();
  return {
    level: field('level').oneOf(auditLevels),
    users: field('users').texts(),
    userGroups: field('userGroups').texts(),
    verbs: field('verbs').texts(),
    resources,
    namespaces,
    nonResourceURLs,
    omitStages: readStages(field('omitStages')),
    ...(omitManagedFields === undefined ? {} : { omitManagedFields }),
  };
}

const groupPattern = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)?$/;

function readResources(entry: ConfigValue): AuditedResources {
  const field = entry.object(['group', 'resources', 'resourceNames']);
  const group = field('group').text();
  if (!groupPattern.test(group)) field('group').fail('must be an API group, without a version');
  const resources = field('resources').texts();
  const resourceNames = field('resourceNames').texts();
  if (resourceNames.length > 0 && resources.length === 0) {
    field('resourceNames').fail('needs resources that the names are of');
  }
  return { group, resources, resourceNames };
}

function checkUrl(url: ConfigValue): void {
  const text = url.text();
  if (text === '*') return;
  if (!text.startsWith('/')) url.fail('must begin with a slash, or be "*" alone');
  if (text.slice(0, -1).includes('*')) url.fail('may have "*" at its end only');
}

const readStages = (stages: ConfigValue): readonly AuditStage[] =>
  stages.list().map((stage) => stage.oneOf(auditStages));
