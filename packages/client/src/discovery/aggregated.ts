import { asObject, asObjects, asStrings, asText, type JsonObject } from '@orch/machinery';
import type { DiscoveredVersion } from './discovered.ts';
import type { DiscoveredResource } from './types.ts';

/** The versions in an aggregated discovery document: all groups with all their resources. */
export const aggregatedVersions = (document: JsonObject): readonly DiscoveredVersion[] =>
  asObjects(document['items']).flatMap((item) => {
    const group = asText(asObject(item['metadata'])['name']);
    return asObjects(item['versions']).map((version) => versionIn(version, group));
  });

function versionIn(body: JsonObject, group: string): DiscoveredVersion {
  const version = asText(body['version']);
  const resources = asObjects(body['resources']).flatMap((one) => resourceIn(one, group, version));
  // A server that asks others for their part tells what it remembers of one that does not answer.
  return asText(body['freshness']) === 'Stale'
    ? { group, version, resources, failure: 'the server that serves it does not answer' }
    : { group, version, resources };
}

function resourceIn(body: JsonObject, group: string, version: string): readonly DiscoveredResource[] {
  const resource = asText(body['resource']);
  const kind = asText(asObject(body['responseKind'])['kind']);
  // Without a kind it is there for its subresources only.
  if (resource === '' || kind === '') return [];
  return [
    {
      group,
      version,
      resource,
      kind,
      namespaced: asText(body['scope']) === 'Namespaced',
      verbs: asStrings(body['verbs']),
      shortNames: asStrings(body['shortNames']),
      categories: asStrings(body['categories']),
      subresources: asObjects(body['subresources']).map((one) => asText(one['subresource'])),
    },
  ];
}
