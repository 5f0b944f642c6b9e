import { type ApiObject, formatApiVersion, type Status } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { TransportError } from '../transport/transport.ts';
import { exactKey } from './exact-numbers.ts';
import { readStatus } from './failures.ts';
import { type ObjectFormat, wholeObjects } from './object-format.ts';
import { deleteBody, listQuery, watchQuery, writeQuery } from './options.ts';
import { patchClient } from './patch-client.ts';
import { collectionPath, objectPath, queryOf } from './paths.ts';
import { objectIn } from './read-object.ts';
import { RefusedRequest } from './refused-request.ts';
import type { Requester } from './requester.ts';
import { subresourceClient } from './subresource-client.ts';
import type {
  DeleteOptions,
  List,
  ListOptions,
  PatchClient,
  ResourceClient,
  Stored,
  SubresourceClient,
  TypedResource,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './types.ts';
import { eventsOf } from './watch-events.ts';

/** Maximum size of a watch event: several times the maximum size of a stored object. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/** All verbs of one resource over one requester. */
export class RestResourceClient<T extends ApiObject> implements ResourceClient<T> {
  readonly resource: TypedResource<T>;
  readonly namespace: string | undefined;
  readonly patch: PatchClient<T>;
  readonly #requester: Requester;
  readonly #format: ObjectFormat;

  constructor(
    requester: Requester,
    resource: TypedResource<T>,
    namespace: string | undefined,
    format: ObjectFormat = wholeObjects,
  ) {
    this.#requester = requester;
    this.#format = format;
    this.resource = resource;
    this.namespace = resource.namespaced ? namespace : undefined;
    const result = { accept: format.object, read: (one: unknown) => this.#objectIn(one) };
    this.patch = patchClient<T>(requester, result, {
      kind: resource,
      pathOf: (name) => objectPath(resource, this.namespace, name),
      keyOf: (name) => exactKey(resource, this.namespace, name),
    });
  }

  in(namespace: string): ResourceClient<T> {
    return new RestResourceClient<T>(this.#requester, this.resource, namespace, this.#format);
  }

  async get(
    name: string,
    options: { readonly resourceVersion?: string } = {},
    signal?: AbortSignal,
  ): Promise<Stored<T>> {
    const query = queryOf({ resourceVersion: options.resourceVersion });
    const target = objectPath(this.resource, this.namespace, name) + query;
    return this.#objectIn(await this.#requester.json(this.#asking('GET', target), signal));
  }

  async list(options: ListOptions = {}, signal?: AbortSignal): Promise<List<Stored<T>>> {
    const target = collectionPath(this.resource, this.namespace) + listQuery(options);
    return this.#listIn(
      await this.#requester.json({ method: 'GET', target, accept: this.#format.list, isLong: true }, signal),
    );
  }

  async *pages(
    options: ListOptions = {},
    signal?: AbortSignal,
  ): AsyncGenerator<List<Stored<T>>, void, undefined> {
    let page = await this.list(options, signal);
    for (;;) {
      yield page;
      const token = page.metadata.continue;
      if (token === undefined || token === '') return;
      // The token determines the state of the pages; a resourceVersion beside it is rejected (spec 4.4).
      const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
      page = await this.list({ ...rest, continue: token }, signal);
    }
  }

  async *watch(
    options: WatchOptions = {},
    signal?: AbortSignal,
  ): AsyncGenerator<WatchEvent<Stored<T>>, void, undefined> {
    const target = collectionPath(this.resource, this.namespace) + watchQuery(options);
    const request = { ...this.#asking('GET', target), onOpen: options.onOpen };
    const chunks = this.#requester.stream(request, signal);
    const decode = (bytes: Uint8Array): unknown => this.#requester.decode(bytes);
    for await (const event of eventsOf<Stored<T>>(chunks, MAX_EVENT_BYTES, decode)) {
      this.#requester.claim(event.object, this.resource);
      this.#format.name(event.object, this.resource);
      yield event;
    }
  }

  async create(object: T, options: WriteOptions = {}, signal?: AbortSignal): Promise<Stored<T>> {
    const namespace = this.#namespaceOf(object);
    const target = collectionPath(this.resource, namespace) + writeQuery(options);
    const request = { ...this.#asking('POST', target), body: this.#named(object) };
    return this.#objectIn(await this.#requester.json(request, signal));
  }

  async update(object: T, options: WriteOptions = {}, signal?: AbortSignal): Promise<Stored<T>> {
    const path = objectPath(this.resource, this.#namespaceOf(object), object.metadata.name ?? '');
    const about = exactKey(this.resource, this.#namespaceOf(object), object.metadata.name ?? '');
    const request = { ...this.#asking('PUT', path + writeQuery(options)), body: this.#named(object), about };
    return this.#objectIn(await this.#requester.json(request, signal));
  }

  async delete(name: string, options: DeleteOptions = {}, signal?: AbortSignal): Promise<Stored<T> | Status> {
    const target = objectPath(this.resource, this.namespace, name);
    const result = await this.#requester.json(
      { method: 'DELETE', target, body: deleteBody(options) },
      signal,
    );
    return readStatus(result, 200) ?? this.#objectIn(result);
  }

  async deleteCollection(
    options: DeleteOptions & ListOptions = {},
    signal?: AbortSignal,
  ): Promise<List<Stored<T>> | Status> {
    const target = collectionPath(this.resource, this.namespace) + listQuery(options);
    const request = { method: 'DELETE', target, body: deleteBody(options), isLong: true };
    const result = await this.#requester.json(request, signal);
    return readStatus(result, 200) ?? this.#listIn(result);
  }

  subresource<S extends ApiObject = T>(name: string): SubresourceClient<S> {
    return subresourceClient<S>(this.#requester, this.resource, this.namespace, name);
  }

  #asking(method: string, target: string): { method: string; target: string; accept: string } {
    return { method, target, accept: this.#format.object };
  }

  #objectIn(result: unknown): Stored<T> {
    const object = objectIn<Stored<T>>(result);
    this.#requester.claim(object, this.resource);
    return this.#format.name(object, this.resource);
  }

  /** The namespace of the client, or that of the object. */
  #namespaceOf(object: T): string | undefined {
    if (!this.resource.namespaced) return undefined;
    const namespace = this.namespace ?? object.metadata.namespace;
    if (namespace === undefined || namespace === '')
      throw new RefusedRequest(
        `${this.resource.resource} ${JSON.stringify(object.metadata.name ?? '')}: a namespace is required`,
      );
    return namespace;
  }

  /** The object with kind and version, which are optional in typed objects. */
  #named(object: T): object {
    if (object.kind !== undefined && object.apiVersion !== undefined) return object;
    return { kind: this.resource.kind, apiVersion: formatApiVersion(this.resource), ...object };
  }

  #listIn(result: unknown): List<Stored<T>> {
    const { metadata, items } = isJsonObject(result) ? result : {};
    if (!isJsonObject(metadata) || !(items === null || Array.isArray(items)))
      throw new TransportError('unknown', 'the response is not a list');
    const all = (items ?? []).map((item: unknown) => this.#objectIn(item));
    return { ...(result as object), items: all } as unknown as List<Stored<T>>;
  }
}
