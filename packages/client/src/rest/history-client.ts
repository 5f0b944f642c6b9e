import { type ApiObject, finiteNumber, type Names } from '@orch/machinery';
import { asList, asNumber, asObject, asObjects, asText } from '@orch/machinery/json';
import { collectionPath, objectPath, queryOf } from './paths.ts';
import { objectIn } from './read-object.ts';
import type { Requester } from './requester.ts';
import { type Table, tableIn } from './table.ts';
import { tableMediaTypes } from './table-client.ts';
import type { Resource } from './types.ts';

/** A write of an object, as the server has recorded it. Strings are empty when it has none. */
export interface ObjectChange {
  readonly namespace: string;
  readonly name: string;
  /** The resourceVersion of the object after it. */
  readonly revision: string;
  /** The resourceVersion before; empty for a creation. */
  readonly previousRevision: string;
  /** RFC 3339. */
  readonly time: string;
  readonly change: string;
  readonly verb: string;
  readonly subresource: string;
  readonly user: string;
  readonly impersonatedBy: string;
  readonly manager: string;
  /** Paths of the fields that changed. */
  readonly fields: readonly string[];
  /** Number of further ones. */
  readonly moreFields: number;
  /** The reason why parts are missing. */
  readonly note: string;
}

/** Selects changes. */
export interface ChangesOptions {
  /** Only changes after this resourceVersion or time. */
  readonly since?: string | undefined;
  /** Maximum number of changes; all when absent. */
  readonly limit?: number | undefined;
}

/** The history of one resource, on servers that keep one. Rejects like `ResourceClient`. */
export interface HistoryClient {
  /** The changes of an object, or of all objects without a name, the newest first. */
  changes(
    name: string | undefined,
    options?: ChangesOptions,
    signal?: AbortSignal,
  ): AsyncGenerator<ObjectChange, void, undefined>;
  /** The object at a resourceVersion or time. */
  at(name: string, moment: string, signal?: AbortSignal): Promise<ApiObject>;
  /** The same as a table, for people. */
  tableAt(name: string, moment: string, signal?: AbortSignal): Promise<Table>;
}

export class RestHistoryClient implements HistoryClient {
  readonly #requester: Requester;
  readonly #resource: Resource;
  readonly #namespace: string | undefined;
  readonly #tables: string;

  constructor(
    requester: Requester,
    names: Names,
    [resource, namespace]: readonly [Resource, string | undefined],
  ) {
    this.#requester = requester;
    this.#resource = resource;
    this.#namespace = resource.namespaced ? namespace : undefined;
    this.#tables = tableMediaTypes(names);
  }

  async *changes(
    name: string | undefined,
    { since, limit = Number.POSITIVE_INFINITY }: ChangesOptions = {},
    signal?: AbortSignal,
  ): AsyncGenerator<ObjectChange, void, undefined> {
    const path = name === undefined ? collectionPath(this.#resource, this.#namespace) : this.#pathOf(name);
    if (limit !== Number.POSITIVE_INFINITY) finiteNumber('limit', limit);
    let left = limit;
    let next: string | undefined;
    do {
      const query = queryOf({ since, continue: next, limit: Math.min(left, PAGE) });
      const page = asObject(await this.#json(`/history${path}${query}`, 'application/json', signal));
      for (const change of asObjects(page['changes'])) {
        yield changeIn(change);
        left--;
        if (left === 0) return;
      }
      next = asText(page['continue']) || undefined;
    } while (next !== undefined);
  }

  async at(name: string, moment: string, signal?: AbortSignal): Promise<ApiObject> {
    const query = queryOf({ at: moment });
    return objectIn(await this.#json(`/history${this.#pathOf(name)}${query}`, 'application/json', signal));
  }

  async tableAt(name: string, moment: string, signal?: AbortSignal): Promise<Table> {
    const query = queryOf({ at: moment });
    return tableIn(await this.#json(`/history${this.#pathOf(name)}${query}`, this.#tables, signal));
  }

  #pathOf(name: string): string {
    return objectPath(this.#resource, this.#namespace, name);
  }

  #json(target: string, accept: string, signal: AbortSignal | undefined): Promise<unknown> {
    return this.#requester.json({ method: 'GET', target, accept }, signal);
  }
}

const PAGE = 500;

const changeIn = (change: Readonly<Record<string, unknown>>): ObjectChange => ({
  namespace: asText(change['namespace']),
  name: asText(change['name']),
  revision: asText(change['revision']),
  previousRevision: asText(change['previousRevision']),
  time: asText(change['time']),
  change: asText(change['change']),
  verb: asText(change['verb']),
  subresource: asText(change['subresource']),
  user: asText(change['user']),
  impersonatedBy: asText(change['impersonatedBy']),
  manager: asText(change['manager']),
  fields: asList(change['fields']).map(asText),
  moreFields: asNumber(change['moreFields']),
  note: asText(change['note']),
});
