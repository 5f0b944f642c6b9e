import { type ApiObject, namesFor } from '@orch/machinery';
import type { Subject } from './context.ts';

type Schema = Readonly<Record<string, unknown>>;

export const BENCH_GROUP = 'bench.example.com';

export const DEFINITIONS = `/apis/${namesFor('kubernetes').apiVersion('apiextensions', 'v1')}/customresourcedefinitions`;

/** Limits that keep the estimated cost of rules low. */
const MAX_ITEMS = 64;
const MAX_LENGTH = 512;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function schemaOfObject(objects: readonly Record<string, unknown>[]): Schema {
  const names = new Set(objects.flatMap((object) => Object.keys(object)));
  const valuesOf = (name: string): readonly unknown[] =>
    objects.map((object) => object[name]).filter((value) => value !== undefined);
  return {
    type: 'object',
    properties: Object.fromEntries([...names].map((name) => [name, schemaOf(valuesOf(name))])),
  };
}

/** Items that all have a name are merged by it, as those of the built-in kinds are. */
function schemaOfList(lists: readonly (readonly unknown[])[]): Schema {
  const all = lists.flat();
  const items = schemaOf(all);
  const areNamed = all.length > 0 && all.every((item) => isObject(item) && typeof item['name'] === 'string');
  if (!areNamed) return { type: 'array', items, maxItems: MAX_ITEMS };
  return {
    type: 'array',
    items: { ...items, required: ['name'] },
    maxItems: MAX_ITEMS,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  };
}

/** The structural schema of some values of one field. */
export function schemaOf(values: readonly unknown[]): Schema {
  const [first] = values;
  if (Array.isArray(first)) return schemaOfList(values.filter((value) => Array.isArray(value)));
  if (isObject(first)) return schemaOfObject(values.filter(isObject));
  if (typeof first === 'number') return { type: 'integer' };
  if (typeof first === 'boolean') return { type: 'boolean' };
  return { type: 'string', maxLength: MAX_LENGTH };
}

/** Number of fields that a schema declares. */
export function fieldsIn(schema: unknown): number {
  if (!isObject(schema)) return 0;
  const { items, properties } = schema;
  const own = isObject(properties) ? Object.values(properties) : [];
  return own.reduce((sum: number, field) => sum + 1 + fieldsIn(field), fieldsIn(items));
}

/** The schema with optional fields added, so that it declares `fields` of them. */
export function padded(schema: Schema, fields: number): Schema {
  const missing = Math.max(0, fields - fieldsIn(schema));
  const optional = Array.from({ length: missing }, (_, i) => [`optional${i}`, { type: 'string' }] as const);
  const { properties } = schema;
  return {
    ...schema,
    properties: { ...(isObject(properties) ? properties : {}), ...Object.fromEntries(optional) },
  };
}

export interface CustomVersionOptions {
  readonly name: string;
  /** Schemas of the fields beside `metadata`. */
  readonly fields: Schema;
  readonly selectable?: readonly string[];
}

export interface CustomKindOptions {
  readonly plural: string;
  readonly kind: string;
  readonly group?: string;
  /** The first one is stored. */
  readonly versions: readonly CustomVersionOptions[];
  readonly conversion?: Schema;
}

/** A definition of a namespaced kind. */
export function definitionOf({
  plural,
  kind,
  versions,
  group = BENCH_GROUP,
  conversion,
}: CustomKindOptions): ApiObject {
  const version = ({ name, fields, selectable = [] }: CustomVersionOptions, index: number): Schema => ({
    name,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema: { type: 'object', properties: fields } },
    ...(selectable.length === 0 ? {} : { selectableFields: selectable.map((jsonPath) => ({ jsonPath })) }),
  });
  return {
    apiVersion: namesFor('kubernetes').apiVersion('apiextensions', 'v1'),
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: versions.map(version),
      ...(conversion === undefined ? {} : { conversion }),
    },
  };
}

export const customPath = (plural: string, version = 'v1', group = BENCH_GROUP): string =>
  `/apis/${group}/${version}/namespaces/default/${plural}`;

/** Creates a definition and waits until its resource is served. */
export async function serve({ server: { client } }: Subject, definition: ApiObject): Promise<void> {
  const { metadata } = definition;
  const created = await client.post(DEFINITIONS, definition);
  if (created.status !== 201) throw new Error(`${metadata.name}: ${created.text}`);
  const { metadata: stored } = created.json as ApiObject;
  const query = `watch=true&fieldSelector=metadata.name%3D${metadata.name}&resourceVersion=${stored.resourceVersion}`;
  const stop = new AbortController();
  try {
    for await (const { object } of client.watch(`${DEFINITIONS}?${query}`, stop.signal))
      if (isEstablished(object)) return;
    throw new Error(`the watch ended before ${metadata.name} was established`);
  } finally {
    stop.abort();
  }
}

function isEstablished({ status }: Readonly<Record<string, unknown>>): boolean {
  const conditions = isObject(status) ? status['conditions'] : undefined;
  if (!Array.isArray(conditions)) return false;
  return conditions.some(
    (condition: unknown) =>
      isObject(condition) && condition['type'] === 'Established' && condition['status'] === 'True',
  );
}
