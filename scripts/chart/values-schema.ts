import type { CommentedValue } from './commented-values.ts';

type Schema = Readonly<Record<string, unknown>>;

interface ObjectSchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly description?: string;
  readonly properties: Record<string, Schema | ObjectSchema>;
}

const text = { type: 'string' };
const quantity = { type: ['string', 'number'], pattern: '^[0-9]+([.][0-9]+)?([EPTGMk]i?|[num])?$' };
const quantities = { type: 'object', additionalProperties: quantity };

const objectWith = (...required: readonly string[]): Schema => ({ type: 'object', required });

/** The definitions that `@schema` lines refer to. Parts of pods are validated by the cluster. */
const definitions: Readonly<Record<string, Schema>> = {
  strings: { type: 'object', additionalProperties: text },
  object: { type: 'object' },
  secretName: { ...text, maxLength: 253, pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$' },
  reference: { ...objectWith('name'), properties: { name: text }, additionalProperties: false },
  flags: { type: 'array', items: { ...text, pattern: '^-' } },
  env: {
    type: 'array',
    items: {
      ...objectWith('name'),
      properties: { name: text, value: text, valueFrom: { type: 'object' } },
      additionalProperties: false,
    },
  },
  named: { type: 'array', items: objectWith('name') },
  mounts: { type: 'array', items: objectWith('name', 'mountPath') },
  spread: objectWith('maxSkew', 'topologyKey', 'whenUnsatisfiable'),
  port: { type: 'integer', minimum: 1, maximum: 65535 },
  count: { type: ['integer', 'string'], minimum: 0, pattern: '^[0-9]+%$' },
  duration: { ...text, pattern: '^([0-9]+([.][0-9]+)?(ms|s|m|h))+$' },
  quantity,
  resources: {
    type: 'object',
    properties: { requests: quantities, limits: quantities, claims: { type: 'array' } },
    additionalProperties: false,
  },
};

const objectSchema = (description = ''): ObjectSchema => ({
  type: 'object',
  additionalProperties: false,
  ...(description !== '' && { description }),
  properties: {},
});

/** The schema of all values. Values that the chart does not have are refused. */
export function valuesSchema(values: readonly CommentedValue[]): string {
  const root = objectSchema();
  // Charts that have this one as a dependency share values there.
  root.properties['global'] = { type: 'object' };
  for (const value of values) {
    const parent = value.path.slice(0, -1).reduce(memberOf, root);
    const key = value.path.at(-1) ?? '';
    parent.properties[key] = value.isGroup ? objectSchema(value.description) : leafSchema(value);
  }
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart',
    ...root,
  };
  return `${JSON.stringify({ ...schema, definitions }, undefined, 2)}\n`;
}

const memberOf = (parent: ObjectSchema, key: string): ObjectSchema => parent.properties[key] as ObjectSchema;

function leafSchema({ defaultValue, description, schema = {} }: CommentedValue): Schema {
  // Members beside a reference are ignored.
  if ('$ref' in schema) return schema;
  return { ...(description !== '' && { description }), type: typeOf(defaultValue), ...schema };
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
