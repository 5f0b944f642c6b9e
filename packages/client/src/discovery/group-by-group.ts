import { ApiError, type GroupVersion } from '@orch/machinery';
import { Semaphore } from '@orch/machinery/concurrency';
import { asObject, asObjects, asStrings, asText, isJsonObject, type JsonObject } from '@orch/machinery/json';
import { groupVersionPath } from '../rest/paths.ts';
import type { Requester } from '../rest/requester.ts';
import { isTransportError } from '../transport/transport.ts';
import { type DiscoveredVersion, inPreference } from './discovered.ts';
import type { DiscoveredResource } from './types.ts';

/** Concurrent requests of one discovery. */
const MAX_AT_ONCE = 8;

/** The versions of the core group from `/api` (`APIVersions`). */
export const coreVersions = (document: JsonObject): readonly GroupVersion[] =>
  asStrings(document['versions']).map((version) => ({ group: '', version }));

/** The versions of all other groups from `/apis` (`APIGroupList`), the preferred version of each group first. */
export const groupVersions = (document: JsonObject): readonly GroupVersion[] =>
  asObjects(document['groups']).flatMap((body) => {
    const group = asText(body['name']);
    const versions = asObjects(body['versions']).map((one) => asText(one['version']));
    const preferred = asText(asObject(body['preferredVersion'])['version']);
    return inPreference(versions, preferred).map((version) => ({ group, version }));
  });

/** Requests the resources of each version; failures concern single versions only. */
export async function readVersions(
  requester: Requester,
  versions: readonly GroupVersion[],
  signal: AbortSignal,
): Promise<readonly DiscoveredVersion[]> {
  const slots = new Semaphore(MAX_AT_ONCE);
  return Promise.all(versions.map((one) => slots.run(signal, () => readVersion(requester, one, signal))));
}

async function readVersion(
  requester: Requester,
  one: GroupVersion,
  signal: AbortSignal,
): Promise<DiscoveredVersion> {
  try {
    const document = await requester.json({ method: 'GET', target: groupVersionPath(one) }, signal);
    return { ...one, resources: isJsonObject(document) ? resourcesIn(document, one) : [] };
  } catch (error) {
    if (!(error instanceof ApiError || isTransportError(error))) throw error;
    return { ...one, resources: [], failure: error.message };
  }
}

/** The resources of an `APIResourceList`; subresources are separate entries there, `pods/status`. */
function resourcesIn(document: JsonObject, own: GroupVersion): readonly DiscoveredResource[] {
  const entries = asObjects(document['resources']);
  const under = new Map<string, string[]>();
  for (const entry of entries) {
    const [resource = '', below] = asText(entry['name']).split('/', 2);
    if (below !== undefined) under.set(resource, [...(under.get(resource) ?? []), below]);
  }
  return entries
    .filter((entry) => asText(entry['name']) !== '' && !asText(entry['name']).includes('/'))
    .map((entry) => ({
      group: own.group,
      version: own.version,
      resource: asText(entry['name']),
      kind: asText(entry['kind']),
      namespaced: entry['namespaced'] === true,
      singular: asText(entry['singularName']),
      verbs: asStrings(entry['verbs']),
      shortNames: asStrings(entry['shortNames']),
      categories: asStrings(entry['categories']),
      subresources: under.get(asText(entry['name'])) ?? [],
    }));
}
