import type { ResourceType } from '@orch/apis';
import type { ResourceCache } from '@orch/cache';
import type { Names } from '@orch/machinery';
import { metricName } from './registry-metrics.ts';
import type { ResourceTable } from './resource-table.ts';
import type { ServedResource, StoredResource } from './served-resource.ts';
import type { WriteHooks } from './write-hooks.ts';

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
