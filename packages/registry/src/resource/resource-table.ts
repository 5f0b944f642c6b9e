import type { ServedResource } from './served-resource.ts';

type Versions = ReadonlyMap<string, ReadonlyMap<string, ServedResource>>;

/** Every served resource, by group, version and resource. */
export class ResourceTable {
  readonly #groups: ReadonlyMap<string, Versions>;
  readonly all: readonly ServedResource[];

  /** Throws `TypeError` where two rows claim the same place. */
  constructor(resources: readonly ServedResource[]) {
    this.all = resources;
    const groups = new Map<string, Map<string, Map<string, ServedResource>>>();
    for (const resource of this.all) {
      const { group, version, type } = resource;
      const known = entry(entry(groups, group), version);
      if (known.has(type.resource))
        throw new TypeError(`${resource.apiVersion} ${type.resource} is declared twice`);
      known.set(type.resource, resource);
    }
    this.#groups = groups;
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#groups.get(group)?.get(version)?.get(resource);
  }

  hasVersion(group: string, version: string): boolean {
    return this.#groups.get(group)?.has(version) ?? false;
  }
}

function entry<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = new Map<string, V>();
  map.set(key, made);
  return made;
}
