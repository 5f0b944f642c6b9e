import type { DiscoveredVersion } from './discovered.ts';
import { objectAt, objectsAt, textAt, textsAt } from './json-members.ts';
import type { DiscoveredResource } from './types.ts';

type JsonObject = Record<string, unknown>;

/** The versions in an aggregated discovery document: all groups with all their resources. */
export const aggregatedVersions = (document: JsonObject): readonly DiscoveredVersion[] =>
  objectsAt(document, 'items').flatMap((item) => {
    const group = textAt(objectAt(item, 'metadata'), 'name');
    return objectsAt(item, 'versions').map((version) => versionIn(version, group));
  });

function versionIn(body: JsonObject, group: string): DiscoveredVersion {
  const version = textAt(body, 'version');
  const resources = objectsAt(body, 'resources').flatMap((one) => resourceIn(one, group, version));
  // A server that asks others for their part tells what it remembers of one that does not answer.
  return textAt(body, 'freshness') === 'Stale'
    ? { group, version, resources, failure: 'the server that serves it does not answer' }
    : { group, version, resources };
}

function resourceIn(body: JsonObject, group: string, version: string): readonly DiscoveredResource[] {
  const resource = textAt(body, 'resource');
  const kind = textAt(objectAt(body, 'responseKind'), 'kind');
  // Without a kind it is there for its subresources only.
  if (resource === '' || kind === '') return [];
  return [
    {
      group,
      version,
      resource,
      kind,
      namespaced: textAt(body, 'scope') === 'Namespaced',
      verbs: textsAt(body, 'verbs'),
      shortNames: textsAt(body, 'shortNames'),
      categories: textsAt(body, 'categories'),
      subresources: objectsAt(body, 'subresources').map((one) => textAt(one, 'subresource')),
    },
  ];
}
