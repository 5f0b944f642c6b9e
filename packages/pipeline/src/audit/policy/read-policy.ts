import { isJsonObject, type LineOf, type Names, parseYaml, yamlLines } from '@orch/machinery';
import { type AuditStage, auditLevels, auditStages } from '../event/types.ts';
import type { AuditedResources, AuditPolicy, AuditRule } from './policy.ts';

/** An invalid policy; the message begins with the line. */
export class AuditPolicyError extends Error {
  override readonly name = 'AuditPolicyError';
}

type Path = readonly (string | number)[];

/** Reads fields strictly: an unknown field, or another type, throws an error with its line. */
class PolicyReader {
  readonly #lineOf: LineOf;

  constructor(lineOf: LineOf) {
    this.#lineOf = lineOf;
  }

  fail(path: Path, problem: string): never {
    const location = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    const where = location === '' ? '' : `${location.replace(/^\./, '')}: `;
    throw new AuditPolicyError(`line ${this.#lineOf(path)}: ${where}${problem}`);
  }

  object(value: unknown, path: Path, fields: readonly string[]): Record<string, unknown> {
    if (!isJsonObject(value)) return this.fail(path, 'must be an object');
    for (const name of Object.keys(value)) {
      if (!fields.includes(name)) this.fail([...path, name], `unknown field ${JSON.stringify(name)}`);
    }
    return value as Record<string, unknown>;
  }

  array(value: unknown, path: Path): readonly unknown[] {
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : this.fail(path, 'must be a list');
  }

  texts(value: unknown, path: Path): readonly string[] {
    return this.array(value, path).map((one, at) =>
      typeof one === 'string' ? one : this.fail([...path, at], 'must be a text'),
    );
  }

  text(value: unknown, path: Path): string {
    if (value === undefined || value === null) return '';
    return typeof value === 'string' ? value : this.fail(path, 'must be a text');
  }

  flag(value: unknown, path: Path): boolean | undefined {
    if (value === undefined || value === null) return undefined;
    return typeof value === 'boolean' ? value : this.fail(path, 'must be true or false');
  }

  oneOf<T extends string>(value: unknown, path: Path, all: readonly T[]): T {
    const found = all.find((one) => one === value);
    if (found !== undefined) return found;
    return this.fail(
      path,
      `must be one of ${all.join(', ')}${value === undefined ? '' : `, not ${displayed(value)}`}`,
    );
  }
}

const displayed = (value: unknown): string => JSON.stringify(value)?.slice(0, 100) ?? 'nothing';

/**
 * Reads a policy file (facts: event-audit). `versions` are the versions of its group that the release supports. Throws an
 * `AuditPolicyError` for anything ambiguous.
 */
export function readAuditPolicy(text: string, names: Names, versions: readonly string[]): AuditPolicy {
  const value = parsed(text);
  const reader = new PolicyReader(yamlLines(text));
  const fields = ['kind', 'apiVersion', 'metadata', 'rules', 'omitStages', 'omitManagedFields'];
  const root = reader.object(value, [], fields);
  reader.oneOf(root['kind'], ['kind'], ['Policy']);
  reader.oneOf(
    root['apiVersion'],
    ['apiVersion'],
    versions.map((version) => names.apiVersion('audit', version)),
  );
  const rules = reader.array(root['rules'], ['rules']);
  if (rules.length === 0) reader.fail(['rules'], 'must have at least one rule');
  return {
    rules: rules.map((rule, at) => readRule(reader, rule, ['rules', at])),
    omitStages: stages(reader, root['omitStages'], ['omitStages']),
    omitManagedFields: reader.flag(root['omitManagedFields'], ['omitManagedFields']) ?? false,
  };
}

function parsed(text: string): unknown {
  const duplicates: string[] = [];
  let value: unknown;
  try {
    value = parseYaml(Buffer.from(text), { onDuplicateKey: (path) => void duplicates.push(path) });
  } catch (error) {
    throw new AuditPolicyError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  const [first] = duplicates;
  if (first === undefined) return value;
  const path = first.split(/[.[\]]+/).filter((step) => step !== '');
  const line = yamlLines(text)(path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
  throw new AuditPolicyError(`line ${line}: ${first} stands twice`);
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
];

function readRule(reader: PolicyReader, value: unknown, path: Path): AuditRule {
  const rule = reader.object(value, path, RULE_FIELDS);
  const list = (name: string): readonly string[] => reader.texts(rule[name], [...path, name]);
  const resources = reader
    .array(rule['resources'], [...path, 'resources'])
    .map((entry, at) => readResources(reader, entry, [...path, 'resources', at]));
  const [namespaces, nonResourceURLs] = [list('namespaces'), list('nonResourceURLs')];
  if (nonResourceURLs.length > 0 && resources.length + namespaces.length > 0)
    reader.fail([...path, 'nonResourceURLs'], 'must not stand beside resources or namespaces');
  nonResourceURLs.forEach((url, at) => {
    checkUrl(reader, url, [...path, 'nonResourceURLs', at]);
  });
  const omitManagedFields = reader.flag(rule['omitManagedFields'], [...path, 'omitManagedFields']);
  return {
    level: reader.oneOf(rule['level'], [...path, 'level'], auditLevels),
    users: list('users'),
    userGroups: list('userGroups'),
    verbs: list('verbs'),
    resources,
    namespaces,
    nonResourceURLs,
    omitStages: stages(reader, rule['omitStages'], [...path, 'omitStages']),
    ...(omitManagedFields === undefined ? {} : { omitManagedFields }),
  };
}

const groupPattern = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)?$/;

function readResources(reader: PolicyReader, value: unknown, path: Path): AuditedResources {
  const entry = reader.object(value, path, ['group', 'resources', 'resourceNames']);
  const group = reader.text(entry['group'], [...path, 'group']);
  if (!groupPattern.test(group)) reader.fail([...path, 'group'], 'must be an API group, without a version');
  const resources = reader.texts(entry['resources'], [...path, 'resources']);
  const resourceNames = reader.texts(entry['resourceNames'], [...path, 'resourceNames']);
  if (resourceNames.length > 0 && resources.length === 0)
    reader.fail([...path, 'resourceNames'], 'needs resources that the names are of');
  return { group, resources, resourceNames };
}

function checkUrl(reader: PolicyReader, url: string, path: Path): void {
  if (url === '*') return;
  if (!url.startsWith('/')) reader.fail(path, 'must begin with a slash, or be "*" alone');
  if (url.slice(0, -1).includes('*')) reader.fail(path, 'may have "*" at its end only');
}

const stages = (reader: PolicyReader, value: unknown, path: Path): readonly AuditStage[] =>
  reader.array(value, path).map((one, at) => reader.oneOf(one, [...path, at], auditStages));
