import type { ResourceType } from '@orch/apis';
import type { ResourceCache } from '@orch/cache';
import type { Names } from '@orch/machinery';
import { metricName } from './registry-metrics.ts';
import type { ServedResource, StoredResource } from './served-resource.ts';
import type { WriteHooks } from './write-hooks.ts';

type Versions = Map<string, Map<string, ServedResource>>;

/** Keeps derived state of each resource in step with a table. */
export interface ResourceObserver {
  /** Called for every resource of the table when the observer is registered, then for each that is added. */
  added(resource: ServedResource): void;
  removed?(resource: ServedResource): void;
}

/** Resources that replace others in one step. */
export interface ResourceChange {
  readonly removed: readonly ServedResource[];
  readonly added: readonly ServedResource[];
}

/**
 * Every served resource, by group, version and resource. The resources of custom resource definitions are added and
 * removed while the server runs; observers see each change before the next request is served.
 */
export class ResourceTable {
  readonly #groups = new Map<string, Versions>();
  readonly #resources = new Set<ServedResource>();
  readonly #observers: ResourceObserver[] = [];
  #all: readonly ServedResource[] | undefined;
  #generation = 0;

  /** Throws `TypeError` where two definitions declare the same resource. */
  constructor(resources: readonly ServedResource[]) {
    for (const resource of resources) this.#add(resource);
  }

  /** All resources, in the order in which they were added. A later change does not affect the returned array. */
  get all(): readonly ServedResource[] {
    this.#all ??= [...this.#resources];
    return this.#all;
  }

  /** Number of changes so far: documents about all resources are current while it is unchanged. */
  get generation(): number {
    return this.#generation;
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#groups.get(group)?.get(version)?.get(resource);
  }

  hasVersion(group: string, version: string): boolean {
    return this.#groups.get(group)?.has(version) ?? false;
  }

  observe(observer: ResourceObserver): void {
    for (const resource of this.#resources) observer.added(resource);
    this.#observers.push(observer);
  }

  /** Replaces resources by others. Throws `TypeError`, and changes nothing, where an added resource is declared already. */
  change({ removed, added }: ResourceChange): void {
    const leaving = new Set(removed);
    for (const resource of added) {
      const declared = this.find(resource.group, resource.version, resource.type.resource);
      if (declared !== undefined && !leaving.has(declared)) throw declaredTwice(resource);
    }
    for (const resource of leaving) this.#remove(resource);
    for (const resource of added) this.#add(resource);
    this.#generation++;
    for (const observer of this.#observers) {
      for (const resource of leaving) observer.removed?.(resource);
      for (const resource of added) observer.added(resource);
    }
  }

  #add(resource: ServedResource): void {
    const { group, version, type } = resource;
    const resources = entryOf(entryOf(this.#groups, group), version);
    if (resources.has(type.resource)) throw declaredTwice(resource);
    resources.set(type.resource, resource);
    this.#resources.add(resource);
    this.#all = undefined;
  }

  #remove(resource: ServedResource): void {
    if (!this.#resources.delete(resource)) return;
    this.#all = undefined;
    const { group, version, type } = resource;
    const versions = this.#groups.get(group);
    const resources = versions?.get(version);
    resources?.delete(type.resource);
    if (resources?.size === 0) versions?.delete(version);
    if (versions?.size === 0) this.#groups.delete(group);
  }
}

const declaredTwice = ({ apiVersion, type }: ServedResource): TypeError =>
  new TypeError(`${apiVersion} ${type.resource} is declared twice`);

function entryOf<K, V>(map: Map<string, Map<K, V>>, key: string): Map<K, V> {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = new Map<K, V>();
  map.set(key, made);
  return made;
}

export type HooksOf = (type: ResourceType) => WriteHooks | undefined;

export interface StoredResourcesOptions {
  /** The cache of a resource; called for each of its versions. */
  readonly cacheOf: (type: ResourceType) => ResourceCache;
  readonly hooksOf?: HooksOf;
}

/** The resources of a table that are stored, each with its cache: all versions of a resource share one. */
export class StoredResources {
  readonly #stored = new Map<ServedResource, StoredResource>();
  readonly #options: StoredResourcesOptions;

  constructor(table: ResourceTable, options: StoredResourcesOptions) {
    this.#options = options;
    table.observe({
      added: (resource) => this.#add(resource),
      removed: (resource) => this.#stored.delete(resource),
    });
  }

  /** Throws `TypeError` for a resource that is not stored, or not in the table. */
  of(resource: ServedResource): StoredResource {
    const found = this.#stored.get(resource);
    if (found === undefined) throw new TypeError(`${resource.type.resource} is not stored`);
    return found;
  }

  /** Number of cached objects of each resource. */
  *counts(names: Names): Generator<{ readonly name: string; readonly count: number }> {
    const counted = new Set<ResourceCache>();
    for (const [resource, { cache }] of this.#stored) {
      if (counted.has(cache)) continue;
      counted.add(cache);
      yield { name: metricName(resource, names), count: cache.count() };
    }
  }

  #add(resource: ServedResource): void {
    const { type } = resource;
    if (type.virtual === true) return;
    const hooks = this.#options.hooksOf?.(type);
    this.#stored.set(resource, {
      ...resource,
      cache: this.#options.cacheOf(type),
      ...(hooks === undefined ? {} : { hooks }),
    });
  }
}
