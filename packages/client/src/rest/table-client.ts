import type { ApiObject, Names } from '@orch/machinery';
import { listQuery, watchQuery } from './options.ts';
import { collectionPath, objectPath } from './paths.ts';
import type { Requester } from './requester.ts';
import { type IncludeObject, type Table, tableIn } from './table.ts';
import type { ListOptions, Resource, WatchEvent, WatchOptions } from './types.ts';
import { eventsOf } from './watch-events.ts';

/** Maximum size of an event: several times the maximum size of a stored object. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/** An event of a watch of tables; its table has one row. */
export interface TableEvent {
  readonly type: WatchEvent['type'];
  readonly table: Table;
}

/** A read or a watch of tables; the rows have the metadata of their objects unless `include` says otherwise. */
interface Included {
  readonly include?: IncludeObject;
}

/** Reads of one resource as tables (spec 2.6), for people. Rejects like `ResourceClient`. */
export interface TableClient {
  get(
    name: string,
    options?: { readonly subresource?: string | undefined } & Included,
    signal?: AbortSignal,
  ): Promise<Table>;
  /** The pages of one consistent list; all in one page without a limit. */
  pages(options?: ListOptions & Included, signal?: AbortSignal): AsyncGenerator<Table, void, undefined>;
  watch(options?: WatchOptions & Included, signal?: AbortSignal): AsyncGenerator<TableEvent, void, undefined>;
}

export class RestTableClient implements TableClient {
  readonly #requester: Requester;
  readonly #resource: Resource;
  readonly #namespace: string | undefined;
  readonly #accept: string;

  constructor(
    requester: Requester,
    names: Names,
    [resource, namespace]: readonly [Resource, string | undefined],
  ) {
    this.#requester = requester;
    this.#resource = resource;
    this.#namespace = resource.namespaced ? namespace : undefined;
    this.#accept = tableMediaTypes(names);
  }

  async get(
    name: string,
    options: { readonly subresource?: string | undefined } & Included = {},
    signal?: AbortSignal,
  ): Promise<Table> {
    const path = objectPath(this.#resource, this.#namespace, name, options.subresource);
    return tableIn(await this.#requester.json(this.#request(path + includeQuery(options.include)), signal));
  }

  async *pages(
    options: ListOptions & Included = {},
    signal?: AbortSignal,
  ): AsyncGenerator<Table, void, undefined> {
    const { include, ...list } = options;
    let next: ListOptions = list;
    for (;;) {
      const query = joined(listQuery(next), includeQuery(include));
      const target = collectionPath(this.#resource, this.#namespace) + query;
      const page = tableIn(await this.#requester.json({ ...this.#request(target), isLong: true }, signal));
      yield page;
      if (page.continue === '') return;
      const { resourceVersion: _, resourceVersionMatch: __, ...rest } = list;
      next = { ...rest, continue: page.continue };
    }
  }

  async *watch(
    options: WatchOptions & Included = {},
    signal?: AbortSignal,
  ): AsyncGenerator<TableEvent, void, undefined> {
    const { include, ...watch } = options;
    const query = joined(watchQuery(watch), includeQuery(include));
    const target = collectionPath(this.#resource, this.#namespace) + query;
    const chunks = this.#requester.stream({ ...this.#request(target), onOpen: watch.onOpen }, signal);
    for await (const { type, object } of eventsOf<ApiObject>(chunks, MAX_EVENT_BYTES, (bytes) =>
      this.#requester.decode(bytes),
    ))
      yield { type, table: tableIn(object) };
  }

  #request(target: string): { method: string; target: string; accept: string } {
    return { method: 'GET', target, accept: this.#accept };
  }
}

/** The media types that a request for a table accepts. */
export const tableMediaTypes = (names: Names): string =>
  ['v1', 'v1beta1']
    .map((version) => `application/json;as=Table;v=${version};g=${names.group('meta')}`)
    .concat('application/json')
    .join(',');

/** `Metadata` is the default of the server. */
const includeQuery = (include: IncludeObject | undefined): string =>
  include === undefined || include === 'Metadata' ? '' : `?includeObject=${include}`;

const joined = (first: string, second: string): string =>
  first === '' ? second : first + second.replace('?', '&');
