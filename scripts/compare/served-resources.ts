import { namesFor } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import type { Exchange } from './exchange.ts';

/** A resource that both servers serve. */
export interface ServedResource {
  /** `/api/v1` or `/apis/GROUP/VERSION`. */
  readonly base: string;
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** The path of a collection, in the namespace `default` where the resource has namespaces. */
export const collectionOf = ({ base, namespaced, name }: ServedResource): string =>
  `${base}${namespaced ? '/namespaces/default' : ''}/${name}`;

/** `v1` for `/api/v1`, `apps/v1` for `/apis/apps/v1`. */
export const apiVersionOf = ({ base }: Pick<ServedResource, 'base'>): string =>
  base.replace(/^\/apis?\//, '');

/** Whether objects of the resource can be created and deleted. */
export const isWritable = ({ name, verbs }: ServedResource): boolean =>
  !name.includes('/') && verbs.includes('create') && verbs.includes('delete');

const names = namesFor('kubernetes');
const AGGREGATED = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=${names.group('apidiscovery')};v=${version};as=APIGroupDiscoveryList`,
);

/** Compares the documents of discovery and returns the resources that both servers list. */
export async function compareDiscovery(exchange: Exchange): Promise<readonly ServedResource[]> {
  exchange.begin('discovery');
  for (const path of ['/version', '/api']) await exchange.send('GET', path);
  const groups = Object.values(await exchange.send('GET', '/apis')).flatMap(groupsOf);
  for (const name of new Set(groups.map(({ name }) => name))) await exchange.send('GET', `/apis/${name}`);
  const bases = new Set(['/api/v1', ...groups.flatMap(({ versions }) => versions)]);
  const found: ServedResource[] = [];
  for (const base of bases) {
    const { reference, server } = await exchange.send('GET', base);
    const served = new Set(resourcesOf(base, server).map(({ name }) => name));
    found.push(...resourcesOf(base, reference).filter(({ name }) => served.has(name)));
  }
  exchange.begin('aggregated discovery');
  for (const accept of AGGREGATED)
    for (const path of ['/api', '/apis'])
      await exchange.send('GET', path, { headers: { accept: `${accept},application/json` }, step: accept });
  return found;
}

/** The part of an OpenAPI document that names paths, operations, schemas and fields. */
function outline(body: unknown): unknown {
  if (!isJsonObject(body) || !isJsonObject(body['components'])) return body;
  const schemas = body['components']['schemas'];
  return {
    paths: outlined(body['paths'], (path) =>
      outlined(path, (operation) => memberOf(operation, 'operationId')),
    ),
    schemas: outlined(schemas, (schema) => ({
      fields: outlined(memberOf(schema, 'properties'), (field) => ({
        ...marksOf(field),
        ...valuesOf(field),
      })),
      required: sorted(memberOf(schema, 'required')),
      ...marksOf(schema),
    })),
  };
}

/** How a list or map is merged. */
const marksOf = (schema: unknown): Record<string, unknown> =>
  isJsonObject(schema)
    ? Object.fromEntries(
        Object.entries(schema).filter(([key]) => /^x-.*-(type|keys|strategy|key)$/.test(key)),
      )
    : {};

/** The values that a field lists, each once: those of its strings where it is a list or map. */
function valuesOf(schema: unknown): Record<string, unknown> {
  const values = memberOf(schema, 'enum');
  if (Array.isArray(values)) return { values: [...new Set(values)] };
  const inner = memberOf(schema, 'items') ?? memberOf(schema, 'additionalProperties');
  return inner === undefined ? {} : valuesOf(inner);
}

const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.map(String).sort() : []);

const memberOf = (value: unknown, name: string): unknown => (isJsonObject(value) ? value[name] : undefined);
const outlined = (value: unknown, each: (inner: unknown) => unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, each(inner)]))
    : value;

/** Compares OpenAPI v3 documents: paths, operations, schemas, their fields, how those are merged, and the values that they list. */
export async function compareOpenApi(exchange: Exchange): Promise<void> {
  exchange.begin('OpenAPI v3');
  const { reference, server } = await exchange.send('GET', '/openapi/v3');
  const pathsOf = (body: unknown): readonly string[] => Object.keys(memberOf(body, 'paths') ?? {});
  const served = new Set(pathsOf(server));
  for (const path of pathsOf(reference).filter((one) => served.has(one)))
    await exchange.send('GET', `/openapi/v3/${path}`, { project: outline });
}

/** Compares the default objects of every listable resource, and their table. */
export async function compareLists(exchange: Exchange, resources: readonly ServedResource[]): Promise<void> {
  const accept = `application/json;as=Table;v=v1;g=${names.group('meta')}`;
  for (const resource of resources.filter(({ verbs }) => verbs.includes('list'))) {
    const path = `${resource.base}/${resource.name}`;
    exchange.begin('default objects');
    await exchange.send('GET', path);
    exchange.begin('tables');
    await exchange.send('GET', path, { headers: { accept }, step: 'table' });
  }
}

interface Group {
  readonly name: string;
  readonly versions: readonly string[];
}

const listOf = (body: unknown, field: string): readonly Record<string, unknown>[] => {
  const list = memberOf(body, field);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};

const groupsOf = (body: unknown): readonly Group[] =>
  listOf(body, 'groups').map((group) => ({
    name: String(group['name']),
    versions: listOf(group, 'versions').map((version) => `/apis/${version['groupVersion']}`),
  }));

const resourcesOf = (base: string, body: unknown): readonly ServedResource[] =>
  listOf(body, 'resources').map((resource) => ({
    base,
    name: String(resource['name']),
    kind: String(resource['kind']),
    namespaced: resource['namespaced'] === true,
    verbs: Array.isArray(resource['verbs']) ? resource['verbs'].map(String) : [],
  }));
