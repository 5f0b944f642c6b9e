import type { DiscoveredResource } from '@orch/client';
import { type ApiObject, messageOf, type Names } from '@orch/machinery';
import { asObject, asObjects, asText } from '@orch/machinery/json';
import type { Connection } from '../api/connection.ts';
import type { Kinds } from '../api/discovery.ts';
import { targetOf } from '../api/tables.ts';

/** An object that garbage collection deletes after its owner, or that stands in a namespace. */
export interface Dependent {
  readonly resource: DiscoveredResource;
  readonly name: string;
  readonly finalizers: readonly string[];
  /** Whether it holds the deletion of its owner in the foreground. */
  readonly isBlocking: boolean;
}

export interface Dependents {
  readonly found: readonly Dependent[];
  /** Kinds of which the page does not know whether they have dependents, with the reason. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** Objects of a kind that are looked at; of kinds with more, the answer is incomplete and says so. */
const MAX_OBJECTS = 5000;
/** Requests at the same time: browsers open six connections to one address, and the lists of the page need theirs. */
const MAX_AT_ONCE = 3;

interface Search {
  readonly connection: Connection;
  readonly names: Names;
  readonly kinds: Kinds;
  readonly signal: AbortSignal;
}

/** The objects whose owner an object is, and for a namespace all objects in it. Reads the metadata of every kind. */
export async function findDependents(
  owner: ApiObject,
  isNamespace: boolean,
  search: Search,
): Promise<Dependents> {
  const { uid = '', namespace = '', name = '' } = owner.metadata;
  const where = isNamespace ? name : namespace;
  // Objects of the cluster may own objects in every namespace; those of a namespace only their neighbours.
  const resources = search.kinds.resources.filter(
    ({ verbs, namespaced }) => verbs.includes('list') && (namespaced || where === ''),
  );
  // Some objects are served in several groups.
  const found = new Map<string, Dependent>();
  const unknown = new Map<string, string>();
  const waiting = [...resources];
  const work = async (): Promise<void> => {
    for (let resource = waiting.shift(); resource !== undefined; resource = waiting.shift())
      try {
        const { items, isComplete } = await metadataOf(resource, where, search);
        for (const each of items)
          if (isNamespace || ownsIt(each, uid)) found.set(each.uid ?? '', dependentOf(each, resource, uid));
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

const ownsIt = ({ ownerReferences = [] }: ApiObject['metadata'], uid: string): boolean =>
  ownerReferences.some((each) => each.uid === uid);

const dependentOf = (
  { name = '', finalizers = [], ownerReferences = [] }: ApiObject['metadata'],
  resource: DiscoveredResource,
  uid: string,
): Dependent => ({
  resource,
  name,
  finalizers,
  isBlocking: ownerReferences.some((each) => each.uid === uid && each.blockOwnerDeletion === true),
});
