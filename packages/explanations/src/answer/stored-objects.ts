import { type ApiObject, errors } from '@orch/machinery';
import { cachedObjects, type InternalResource, type ServedApi, type ServerContext } from '@orch/registry';
import type { ObjectPlace } from './cause.ts';

type ServedResource = ServedApi['table']['all'][number];

export interface StoredObjectsParts {
  readonly context: Pick<ServerContext, 'objects' | 'names'>;
  readonly served: Pick<ServedApi, 'table'>;
}

/** A resource whose objects this server stores. */
export interface StoredKind {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly objects: InternalResource;
}

/** The stored objects that explanations are about. Permissions are the concern of callers. */
export class StoredObjects {
  readonly #parts: StoredObjectsParts;

  constructor(parts: StoredObjectsParts) {
    this.#parts = parts;
  }

  /** Throws a 404 when this server does not store such objects. */
  kind(group: string, resource: string): StoredKind {
    const found = this.#all().find((one) => one.group === group && one.type.resource === resource);
    const kind = found === undefined ? undefined : this.#kindOf(found);
    if (kind === undefined) throw errors.resourceNotFound();
    return kind;
  }

  /** The objects of a built-in resource, by the key of its group; undefined when this server does not store them. */
  builtIn<Group extends string, Resource extends string>(group: Group, resource: Resource) {
    return this.#parts.context.objects.resource(group, resource);
  }

  /** The kind of a reference; undefined when this server does not store such objects. */
  ofKind(apiVersion: string, kind: string): StoredKind | undefined {
    const found = this.#all().find((one) => one.apiVersion === apiVersion && one.type.kind === kind);
    return found === undefined ? undefined : this.#kindOf(found);
  }

  /** Every kind once. */
  kinds(): readonly StoredKind[] {
    const byResource = new Map<unknown, StoredKind>();
    for (const served of this.#all()) {
      const kind = byResource.has(served.keyPrefix) ? undefined : this.#kindOf(served);
      if (kind !== undefined) byResource.set(served.keyPrefix, kind);
    }
    return [...byResource.values()];
  }

  /**
   * The stored state; undefined when the object does not exist. The place comes from a client and may be any string.
   */
  async read(kind: StoredKind, place: ObjectPlace, signal: AbortSignal): Promise<ApiObject | undefined> {
    if (!isPlaced(kind, place)) return undefined;
    return at(place, (await kind.objects.read(place, signal))?.object);
  }

  /**
   * As `read`, decoding only the fields that keep an object alive: an object may have tens of thousands of others, and
   * decoding them would block the thread.
   */
  async readOutline(
    kind: StoredKind,
    place: ObjectPlace,
    signal: AbortSignal,
  ): Promise<ApiObject | undefined> {
    if (!isPlaced(kind, place)) return undefined;
    return at(place, (await kind.objects.readFields(place, outline, signal)) as ApiObject | undefined);
  }

  /** The number of cached objects of a kind in a namespace. */
  count({ objects }: StoredKind, namespace: string): number {
    return objects.cache.count(namespace === '' ? '' : `${namespace}/`);
  }

  /** Cached objects of a kind, in a namespace or anywhere, whose bytes contain a string. */
  containing({ objects }: StoredKind, namespace: string, text: string): readonly ApiObject[] {
    return cachedIn(objects, namespace)
      .filter((object) => !object.corrupt && object.json().includes(text))
      .flatMap(({ key }) => objects.cached(namedBy(key)) ?? []);
  }

  #all(): readonly ServedResource[] {
    return this.#parts.served.table.all;
  }

  #kindOf({ type, group }: ServedResource): StoredKind | undefined {
    if (type.virtual === true) return undefined;
    const objects = this.#parts.context.objects.resource(type.group, type.resource);
    if (objects === undefined) return undefined;
    const { resource, kind, namespaced } = type;
    return { group, resource, kind, namespaced, objects };
  }
}

const outline = [
  ...['kind', 'apiVersion'],
  ...['name', 'namespace', 'uid', 'finalizers', 'ownerReferences'].map((field) => `metadata.${field}`),
  ...['deletionTimestamp', 'deletionGracePeriodSeconds'].map((field) => `metadata.${field}`),
  // Fields of namespaces.
  ...['spec.finalizers', 'status.conditions'],
];

const isPlaced = ({ namespaced }: StoredKind, { namespace, name }: ObjectPlace): boolean =>
  namespaced === (namespace !== '') && name !== '';

/** A name with a slash would be the key of another object. */
function at({ namespace, name }: ObjectPlace, object: ApiObject | undefined): ApiObject | undefined {
  const { metadata } = object ?? {};
  return metadata?.name === name && (metadata.namespace ?? '') === namespace ? object : undefined;
}

const cachedIn = (resource: InternalResource, namespace: string) =>
  cachedObjects(resource, namespace === '' ? '' : `${namespace}/`) ?? [];

function namedBy(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
