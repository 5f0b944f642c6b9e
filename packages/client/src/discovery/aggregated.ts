import { asObject, asObjects, asStrings, asText, type JsonObject } from '@orch/machinery/json';
import type { DiscoveredVersion } from './discovered.ts';
import type { DiscoveredResource } from './types.ts';

/** The versions of an aggregated discovery document: all groups with all their resources. */
export const aggregatedVersions = (document: JsonObject): readonly DiscoveredVersion[] =>
  asObjects(document['items']).flatMap((item) => {
    const group = asText(asObject(item['metadata'])['name']);
    return asObjects(item['versions']).map((version) => versionIn(version, group));
  });

function versionIn(body: JsonObject, group: string): DiscoveredVersion {
  const version = asText(body['version']);
  const resources = asObjects(body['resources']).flatMap((one) => resourceIn(one, group, version));
  // For an extension server without a response, an aggregating server sends its last known part as stale.
  return asText(body['freshness']) === 'Stale'
    ? { group, version, resources, failure: 'the server that serves it does not answer' }
    : { group, version, resources };
}

function resourceIn(body: JsonObject, group: string, version: string): readonly DiscoveredResource[] {
  const resource = asText(body['resource']);
  const kind = asText(asObject(body['responseKind'])['kind']);
  // Without a kind, the entry exists for its subresources only.
  if (resource === '' || kind === '') return [];
  return [
    {
      group,
      version,
      resource,
      kind,
      namespaced: asText(body['scope']) === 'Namespaced',
      singular: asText(body['singularResource']),
      verbs: asStrings(body['verbs']),
      shortNames: asStrings(body['shortNames']),
      categories: asStrings(body['categories']),
      subresources: asObjects(body['subresources']).map((one) => asText(one['subresource'])),
    },
  ];
}
