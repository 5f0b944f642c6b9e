import type { DiscoveredResource } from '@orch/client';
import { type ApiObject, asObjects, asText } from '@orch/machinery';
import type { Invocation } from '../../cli/command.ts';
import type { FileDocument } from '../../files/documents.ts';

/**
 * The objects of the cluster, each in the versions in which clients wrote its fields: these clients, or their files, have to
 * change. Objects are read as metadata, page by page.
 */
export async function clusterDocuments({
  session: open,
  signal,
}: Pick<Invocation<unknown>, 'session' | 'signal'>): Promise<readonly FileDocument[]> {
  const session = await open();
  const documents: FileDocument[] = [];
  const { preferred } = await session.resources.all();
  for (const resource of preferred) {
    if (!resource.verbs.includes('list')) continue;
    for await (const { items } of session.client.metadata(resource).pages({ limit: 500 }, signal))
      for (const item of items) documents.push(...writtenVersions(item, resource));
  }
  return documents;
}

/** One document for each version that a manager used. */
function writtenVersions({ metadata }: ApiObject, { kind }: DiscoveredResource): readonly FileDocument[] {
  const managers = Map.groupBy(asObjects(metadata.managedFields), (one) => asText(one['apiVersion']));
  return [...managers].map(([apiVersion, entries]) => ({
    object: { apiVersion, kind, metadata: { name: metadata.name, namespace: metadata.namespace } },
    place: { file: [...new Set(entries.map((one) => asText(one['manager'])))].join(','), line: 1 },
    text: '',
  }));
}
