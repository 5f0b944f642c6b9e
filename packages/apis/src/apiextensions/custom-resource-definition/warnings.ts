import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { WarningContext } from '../../content-warning.ts';

/** Formats of texts, without hyphens, that every release checks. */
const textFormats: ReadonlySet<string> = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte password date duration datetime'
  ).split(' '),
);

const numberFormats: Readonly<Record<string, ReadonlySet<string>>> = {
  integer: new Set(['int32', 'int64']),
  number: new Set(['float', 'double']),
};

/** The fields of a schema with one schema, with a list of them, and with a map of them. */
const single = ['not', 'additionalProperties', 'additionalItems', 'items'] as const;
const listed = ['allOf', 'anyOf', 'oneOf', 'items'] as const;
const mapped = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const;

/** A schema and all schemas within it, each once. */
function* schemasIn(root: unknown): Generator<JsonObject> {
  const waiting: unknown[] = [root];
  for (let schema = waiting.pop(); waiting.length > 0 || schema !== undefined; schema = waiting.pop()) {
    if (!isJsonObject(schema)) continue;
    yield schema;
    for (const field of single) if (isJsonObject(schema[field])) waiting.push(schema[field]);
    for (const field of listed) {
      const inner = schema[field];
      if (Array.isArray(inner)) for (const one of inner) waiting.push(one);
    }
    for (const field of mapped) {
      const inner = schema[field];
      if (isJsonObject(inner)) for (const one of Object.values(inner)) waiting.push(one);
    }
  }
}

function isKnownFormat(type: string, format: string, since: WarningContext['since']): boolean {
  // Before 1.36, only formats of texts were looked at.
  if (type !== 'string' && !since('1.36')) return true;
  if (type !== '' && type !== 'string') return numberFormats[type]?.has(format) === true;
  const plain = format.replaceAll('-', '');
  // The release before must know a format too.
  return textFormats.has(plain) || (since('1.35') && (plain === 'k8sshortname' || plain === 'k8slongname'));
}

const textIn = (schema: JsonObject, field: string): string => {
  const value = schema[field];
  return typeof value === 'string' ? value : '';
};

/** The warnings about the schemas of a definition, each once. */
function schemaWarnings(
  { spec }: CustomResourceDefinition,
  listType: string,
  since: WarningContext['since'],
): ReadonlySet<string> {
  const formats = new Set<string>();
  const sets = new Set<string>();
  for (const { schema: { openAPIV3Schema } = {} } of spec?.versions ?? []) {
    for (const schema of schemasIn(openAPIV3Schema)) {
      const format = textIn(schema, 'format');
      if (format !== '' && !isKnownFormat(textIn(schema, 'type'), format, since))
        formats.add(`unrecognized format ${JSON.stringify(format)}`);
      const { items } = schema;
      const type = isJsonObject(items) ? textIn(items, 'type') : '';
      const isSet = since('1.37') && schema[listType] === 'set';
      if (isSet && (type === 'object' || type === 'array'))
        sets.add(
          `${listType}: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`,
        );
    }
  }
  return new Set([...formats, ...[...sets].sort()]);
}

/** Warns of what a definition says anew and the server does not check. */
export function definitionWarnings(
  next: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { names, since }: WarningContext,
): readonly string[] {
  if (!since('1.34')) return [];
  const { listType } = names.schemaExtensions;
  const found = schemaWarnings(next, listType, since);
  if (old === undefined || found.size === 0) return [...found];
  const before = schemaWarnings(old, listType, since);
  return [...found].filter((text) => !before.has(text));
}
