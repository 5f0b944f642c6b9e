import type { DiscoveredResource } from '@orch/client';
import type { ApiObject, Naming } from '@orch/machinery';
import { asObjects, asStringMap, asText, isJsonObject } from '@orch/machinery/json';
import type { Invocation } from '../../cli/command.ts';
import type { FileDocument } from '../../files/documents.ts';
import { allPages } from '../../resources/all-pages.ts';
import type { Session } from '../../session/session.ts';

/** The facts of a cluster about the versions that its clients use. */
export interface ClusterDocuments {
  readonly documents: readonly FileDocument[];
  /** Objects that do not record by which client and in which version they were written. */
  readonly unrecorded: number;
  /** The naming of the server. */
  readonly naming: Naming;
}

/**
 * The objects of the cluster, each in the versions in which clients wrote its fields: these clients, or their files,
 * have to change. Objects are read as metadata, page by page; one that several groups serve counts once. Fields that
 * the server writes itself are omitted.
 */
export async function clusterDocuments({
  session: open,
  signal,
}: Pick<Invocation<unknown>, 'session' | 'signal'>): Promise<ClusterDocuments> {
  const session = await open();
  const documents: FileDocument[] = [];
  const seen = new Set<string>();
  let unrecorded = 0;
  const { preferred } = await session.resources.all();
  for (const resource of preferred) {
    if (!resource.verbs.includes('list')) continue;
    const objects = session.client.metadata(resource);
    for (const { items } of await allPages(500, (limit) => objects.pages(limit, signal)))
      for (const item of items) {
        const { uid = '' } = item.metadata;
        if (seen.has(uid)) continue;
        if (uid !== '') seen.add(uid);
        const found = writtenVersions(item, resource, session);
        if (found === undefined) unrecorded++;
        else documents.push(...found);
      }
  }
  return { documents, unrecorded, naming: session.names.naming };
}

/** One document for each version that a manager used; undefined for an object that records none. */
function writtenVersions(
  { metadata }: ApiObject,
  { kind }: DiscoveredResource,
  { names }: Session,
): readonly FileDocument[] | undefined {
  const writers = asObjects(metadata.managedFields).map((one) => ({
    apiVersion: asText(one['apiVersion']),
    manager: asText(one['manager']),
  }));
  const applied = appliedVersion(asStringMap(metadata.annotations)[names.annotations.lastApplied]);
  if (applied !== undefined && writers.every(({ apiVersion }) => apiVersion !== applied))
    writers.push({ apiVersion: applied, manager: 'apply' });
  if (writers.length === 0) return undefined;
  const own = new Set([names.programs.apiserver, ...Object.values(names.fieldManagers)]);
  const clients = writers.filter(({ manager }) => !own.has(manager));
  return [...Map.groupBy(clients, ({ apiVersion }) => apiVersion)].map(([apiVersion, entries]) => ({
    object: { apiVersion, kind, metadata: { name: metadata.name, namespace: metadata.namespace } },
    place: { file: [...new Set(entries.map(({ manager }) => manager))].join(','), line: 1 },
    text: '',
  }));
}

/** The version of the file that client-side apply has stored. */
function appliedVersion(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? asText(value['apiVersion']) || undefined : undefined;
  } catch {
    return undefined;
  }
}
