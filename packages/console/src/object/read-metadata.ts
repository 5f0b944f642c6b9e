import type { DiscoveredResource } from '@orch/client';
import { type ApiObject, messageOf, type Names } from '@orch/machinery';
import { asObject, asObjects, asText } from '@orch/machinery/json';
import type { Connection } from '../api/connection.ts';
import type { Kinds } from '../api/discovery.ts';
import { targetOf } from '../api/tables.ts';

/** The metadata of an object, without its content. */
export interface Outline {
  readonly resource: DiscoveredResource;
  readonly metadata: ApiObject['metadata'];
}

export interface Outlines {
  /** Each object once, also if it is served in several groups. */
  readonly found: readonly Outline[];
  /** Kinds of which the page does not know all objects, with the reason. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** Maximum number of objects of a kind that are read. The answer says if a kind has more. */
const MAX_OBJECTS = 5000;
/** Requests at the same time: browsers open six connections to one address, and the lists of the page need theirs. */
const MAX_AT_ONCE = 3;

export interface Search {
  readonly connection: Connection;
  readonly names: Names;
  readonly kinds: Kinds;
  readonly signal: AbortSignal;
}

/** Reads the metadata of all objects of a namespace that `isSought`; of the whole cluster when it is empty. */
export async function readMetadata(
  namespace: string,
  isSought: (outline: Outline) => boolean,
  search: Search,
): Promise<Outlines> {
  // Objects of the cluster may own objects in every namespace; those of a namespace only their neighbours.
  const waiting = search.kinds.resources.filter(
    ({ verbs, namespaced }) => verbs.includes('list') && (namespaced || namespace === ''),
  );
  const found = new Map<string, Outline>();
  const unknown = new Map<string, string>();
  const work = async (): Promise<void> => {
    for (let resource = waiting.shift(); resource !== undefined; resource = waiting.shift())
      try {
        const { items, isComplete } = await metadataOf(resource, namespace, search);
        for (const metadata of items)
          if (isSought({ resource, metadata })) found.set(metadata.uid ?? '', { resource, metadata });
        if (!isComplete) unknown.set(resource.resource, `it has more than ${MAX_OBJECTS} objects`);
      } catch (error) {
        search.signal.throwIfAborted();
        unknown.set(resource.resource, messageOf(error));
      }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  return { found: [...found.values()], unknown };
}

async function metadataOf(
  resource: DiscoveredResource,
  namespace: string,
  { connection, names, signal }: Search,
): Promise<{ readonly items: readonly ApiObject['metadata'][]; readonly isComplete: boolean }> {
  const accept = `application/json;as=PartialObjectMetadataList;v=v1;g=${names.group('meta')},application/json`;
  const selection = { resource, namespace: resource.namespaced ? namespace : '', labels: '', fields: '' };
  const list = asObject(
    await connection.json({ target: targetOf(selection, { limit: String(MAX_OBJECTS) }), accept }, signal),
  );
  const items = asObjects(list['items']).map((each) => asObject(each['metadata']) as ApiObject['metadata']);
  return { items, isComplete: asText(asObject(list['metadata'])['continue']) === '' };
}
