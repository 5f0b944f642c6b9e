import type { CachedObject } from '@orch/cache';
import { type ApiPriority, customPriority, isCustomGroup } from '@orch/discovery';
import type { APIService } from '@orch/kinds/apiregistration';
import { messageOf } from '@orch/machinery';
import { jsonEquals, parseJson } from '@orch/machinery/json';
import {
  cachedObjects,
  followObjects,
  type InternalResource,
  type ResourceTable,
  type ServerContext,
} from '@orch/registry';
import {
  ALWAYS,
  managementOf,
  priorityOf,
  type RemoteApiService,
  remoteApiService,
} from '../api-services/api-service.ts';
import type { Backend } from '../backend/backend.ts';

/** A proxied group version, and the state of its extension API server as known to this replica. */
export interface RemoteApi {
  readonly declared: RemoteApiService;
  readonly uid: string;
  readonly backend: Backend;
  /**
   * The reason why requests currently fail; undefined when the server responded to the last check, or was not checked
   * yet.
   */
  outage: string | undefined;
}

export interface RemoteApiServicesOptions {
  readonly context: ServerContext;
  readonly table: Pick<ResourceTable, 'all'>;
  readonly openBackend: (declared: RemoteApiService) => Backend;
}

/** Receives the names of API services whose spec has changed, or that were created or deleted. */
export type ApiServiceListener = (name: string) => void;

/**
 * The group versions that are proxied to extension API servers, in step with the cached API services: a change takes effect
 * before the next request. Built-in group versions are never among them, whatever an API service says.
 */
export class RemoteApiServices {
  readonly #options: RemoteApiServicesOptions;
  readonly #resource: InternalResource<APIService> | undefined;
  readonly #builtIn: ReadonlySet<string>;
  /** By name: `version.group`. */
  readonly #remote = new Map<string, RemoteApi>();
  /** The specs of all API services, by name: changes of the status alone are not reported. */
  readonly #known = new Map<string, string>();
  readonly #priorities = new Map<string, ApiPriority>();
  readonly #listeners: ApiServiceListener[] = [];

  constructor(options: RemoteApiServicesOptions) {
    this.#options = options;
    this.#resource = options.context.objects.resource('apiregistration', 'apiservices');
    const builtIn = options.table.all.filter(({ groupKey }) => !isCustomGroup(groupKey));
    this.#builtIn = new Set(builtIn.map(({ group, version }) => `${version}.${group}`));
  }

  get isEmpty(): boolean {
    return this.#remote.size === 0;
  }

  /** The extension API server of a group version; undefined for one that this server serves itself. */
  find(group: string, version: string): RemoteApi | undefined {
    return this.#remote.size === 0 ? undefined : this.#remote.get(`${version}.${group}`);
  }

  byName(name: string): RemoteApi | undefined {
    return this.#remote.get(name);
  }

  get all(): Iterable<RemoteApi> {
    return this.#remote.values();
  }

  /** By `group/version`, where they are not the usual ones; without built-in group versions. */
  get priorities(): ReadonlyMap<string, ApiPriority> {
    return this.#priorities;
  }

  /** Names of all API services, local ones included. */
  get names(): Iterable<string> {
    return this.#known.keys();
  }

  /** Reports whether this server serves a group version itself, so that no API service can have it proxied. */
  isBuiltIn(name: string): boolean {
    return this.#builtIn.has(name);
  }

  observe(listener: ApiServiceListener): void {
    this.#listeners.push(listener);
  }

  /** Follows the API services from now on, until the returned function is called. */
  follow(): () => void {
    const resource = this.#resource;
    if (resource === undefined) return () => undefined;
    const unsubscribe = followObjects(resource, {
      changed: (name, object) => this.#apply(name, object),
      replaced: () => this.#replace(resource),
    });
    return () => {
      unsubscribe();
      for (const { backend } of this.#remote.values()) backend[Symbol.dispose]();
      this.#remote.clear();
      this.#known.clear();
      this.#priorities.clear();
    };
  }

  #replace(resource: InternalResource<APIService>): void {
    const objects = cachedObjects(resource);
    if (objects === undefined) return;
    const present = new Set(objects.map(({ key }) => key));
    for (const name of [...this.#known.keys()]) if (!present.has(name)) this.#apply(name, undefined);
    for (const object of objects) this.#apply(object.key, object);
  }

  /** Never throws: it runs within the change of the cache. */
  #apply(name: string, cached: CachedObject | undefined): void {
    // Nothing is known about an object that cannot be read: the group stays as it was, and its objects are not
    // considered absent.
    if (cached?.corrupt === true) return;
    try {
      this.#set(name, cached === undefined ? undefined : objectOf(cached));
    } catch (error) {
      const { log } = this.#options.context.env;
      log.error('an API service cannot be used', { name, error: messageOf(error) });
    }
  }

  #set(name: string, object: APIService | undefined): void {
    const declared = object === undefined ? undefined : this.#proxied(name, object);
    const uid = object?.metadata.uid ?? '';
    const identity = object === undefined ? undefined : JSON.stringify([uid, object.spec, declared]);
    if (this.#known.get(name) === identity) return;
    if (identity === undefined) this.#known.delete(name);
    else this.#known.set(name, identity);
    this.#setPriority(name, object);
    this.#remote.get(name)?.backend[Symbol.dispose]();
    this.#remote.delete(name);
    if (declared !== undefined) {
      const backend = this.#options.openBackend(declared);
      this.#remote.set(name, { declared, uid, backend, outage: undefined });
    }
    for (const listener of this.#listeners) listener(name);
  }

  #setPriority(name: string, object: APIService | undefined): void {
    const at = name.indexOf('.');
    const apiVersion = `${name.slice(at + 1)}/${name.slice(0, at)}`;
    const priority = object === undefined || this.#builtIn.has(name) ? customPriority : priorityOf(object);
    if (jsonEquals(priority, customPriority)) this.#priorities.delete(apiVersion);
    else this.#priorities.set(apiVersion, priority);
  }

  /** The declaration of an extension API server; undefined for a group version that this server serves itself. */
  #proxied(name: string, object: APIService): RemoteApiService | undefined {
    const declared = remoteApiService(object);
    if (declared === undefined || declared.name !== name || this.#builtIn.has(name)) return undefined;
    // Servers are about to correct an API service that they maintain for custom resources.
    return managementOf(object, this.#options.context.names) === ALWAYS ? undefined : declared;
  }
}

const objectOf = (cached: CachedObject): APIService => parseJson(cached.json()) as APIService;
