import type { DiscoveredResource } from '@orch/client';
import { formatApiVersion, type GroupVersion, messageOf, type Names } from '@orch/machinery';
import { asObject, asObjects, asStrings, asText, type JsonObject } from '@orch/machinery/json';
import type { Connection } from './connection.ts';

/** The kinds of a server. */
export interface Kinds {
  /** Each resource once, in the preferred version of its group, sorted by group and name; the core group first. */
  readonly resources: readonly DiscoveredResource[];
  /** `apiVersion` of parts whose server did not answer, with the reason. */
  readonly failed: ReadonlyMap<string, string>;
}

interface Version extends GroupVersion {
  readonly resources: readonly DiscoveredResource[];
  readonly failure?: string;
}

/** Reads the kinds of a server: from the two aggregated documents, or version by version where a server has none. */
export async function readKinds(connection: Connection, names: Names, signal: AbortSignal): Promise<Kinds> {
  const parts = await Promise.all(
    ['/api', '/apis'].map((part) => readPart(connection, { part, names, signal })),
  );
  const preferred = new Map<string, DiscoveredResource>();
  const failed = new Map<string, string>();
  for (const { group, version, resources, failure } of parts.flat()) {
    if (failure !== undefined) failed.set(formatApiVersion({ group, version }), failure);
    for (const one of resources) {
      const key = `${one.group}/${one.resource}`;
      if (!preferred.has(key)) preferred.set(key, one);
    }
  }
  const order = ({ group, resource }: DiscoveredResource): string => `${group} ${resource}`;
  const resources = [...preferred.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return { resources, failed };
}

interface Reading {
  readonly part: string;
  readonly names: Names;
  readonly signal: AbortSignal;
}

async function readPart(connection: Connection, { part, names, signal }: Reading): Promise<Version[]> {
  const form = (version: string): string =>
    `application/json;g=${names.group('apidiscovery')};v=${version};as=APIGroupDiscoveryList`;
  const accept = `${form('v2')},${form('v2beta1')},application/json`;
  const document = asObject(await connection.json({ target: part, accept }, signal));
  if (document['kind'] === 'APIGroupDiscoveryList') return aggregated(document);
  const versions = part === '/api' ? coreVersions(document) : groupVersions(document);
  return Promise.all(versions.map((one) => readVersion(connection, one, signal)));
}

const aggregated = (document: JsonObject): Version[] =>
  asObjects(document['items']).flatMap((item) => {
    const group = asText(asObject(item['metadata'])['name']);
    return asObjects(item['versions']).map((one) => {
      const version = asText(one['version']);
      const resources = asObjects(one['resources'])
        .map((entry) => aggregatedResource(entry, { group, version }))
        .filter(({ resource, kind }) => resource !== '' && kind !== '');
      const isStale = one['freshness'] === 'Stale';
      return { group, version, resources, ...(isStale && { failure: 'the server does not answer' }) };
    });
  });

const aggregatedResource = (entry: JsonObject, own: GroupVersion): DiscoveredResource => ({
  ...own,
  resource: asText(entry['resource']),
  kind: asText(asObject(entry['responseKind'])['kind']),
  namespaced: entry['scope'] === 'Namespaced',
  singular: asText(entry['singularResource']),
  verbs: asStrings(entry['verbs']),
  shortNames: asStrings(entry['shortNames']),
  categories: asStrings(entry['categories']),
  subresources: asObjects(entry['subresources']).map((one) => asText(one['subresource'])),
});

const coreVersions = (document: JsonObject): GroupVersion[] =>
  asStrings(document['versions']).map((version) => ({ group: '', version }));

/** The preferred version of each group first. */
const groupVersions = (document: JsonObject): GroupVersion[] =>
  asObjects(document['groups']).flatMap((body) => {
    const group = asText(body['name']);
    const preferred = asText(asObject(body['preferredVersion'])['version']);
    const versions = asObjects(body['versions']).map((one) => asText(one['version']));
    return [...new Set([preferred, ...versions])].map((version) => ({ group, version }));
  });

async function readVersion(connection: Connection, own: GroupVersion, signal: AbortSignal): Promise<Version> {
  const { group, version } = own;
  const target = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  try {
    const document = asObject(await connection.json({ target }, signal));
    return { ...own, resources: listedResources(asObjects(document['resources']), own) };
  } catch (error) {
    signal.throwIfAborted();
    return { ...own, resources: [], failure: messageOf(error) };
  }
}

/** The resources of an `APIResourceList`, in which subresources are entries of their own: `pods/status`. */
function listedResources(entries: readonly JsonObject[], own: GroupVersion): readonly DiscoveredResource[] {
  const names = entries.map((entry) => asText(entry['name']));
  return entries
    .filter((entry) => !asText(entry['name']).includes('/'))
    .map((entry) => ({
      ...own,
      resource: asText(entry['name']),
      kind: asText(entry['kind']),
      namespaced: entry['namespaced'] === true,
      singular: asText(entry['singularName']),
      verbs: asStrings(entry['verbs']),
      shortNames: asStrings(entry['shortNames']),
      categories: asStrings(entry['categories']),
      subresources: names
        .filter((name) => name.startsWith(`${asText(entry['name'])}/`))
        .map((name) => name.slice(asText(entry['name']).length + 1)),
    }));
}
