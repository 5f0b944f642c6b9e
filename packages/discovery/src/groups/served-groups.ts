import {
  findGroup,
  type GroupDeclaration,
  type Release,
  type Subresource,
  versionPriority,
} from '@orch/apis';
import type { ResourceTable, ServedResource } from '@orch/registry';
import { compareGroups, orderVersions } from './group-order.ts';

/** One version of a group with its resources, sorted by name. */
export interface ServedVersion {
  readonly version: string;
  readonly apiVersion: string;
  readonly resources: readonly ServedResource[];
}

/** A group with its versions, the preferred first. */
export interface ServedGroup {
  /** Key of the names table; `''` for core, the name for the group of custom resources. */
  readonly key: string;
  /** As in paths; `''` for core. */
  readonly name: string;
  readonly versions: readonly ServedVersion[];
  /** Undefined for a group of custom resources. */
  readonly declared: GroupDeclaration | undefined;
}

export interface ServedGroupsSource {
  readonly table: Pick<ResourceTable, 'observe' | 'generation'>;
  /** Group versions (`group/version`, the group by its key) that the previous release served. */
  readonly servedBefore: ReadonlySet<string>;
}

/** A group of the table; `served` is computed when it is first needed after a change of the group. */
interface GroupEntry {
  readonly key: string;
  readonly name: string;
  readonly resources: Set<ServedResource>;
  served: ServedGroup | undefined;
}

/**
 * Everything that is served, in the order of discovery. A group is computed again only when one of its resources was
 * added or removed.
 */
export class ServedGroups {
  readonly #source: ServedGroupsSource;
  readonly #entries = new Map<string, GroupEntry>();
  #all: readonly ServedGroup[] | undefined;

  constructor(source: ServedGroupsSource) {
    this.#source = source;
    source.table.observe({
      added: (resource) => this.#changedEntry(resource).resources.add(resource),
      removed: (resource) => {
        const entry = this.#changedEntry(resource);
        entry.resources.delete(resource);
        if (entry.resources.size === 0) this.#entries.delete(entry.name);
      },
    });
  }

  /** The core group first. The same array until a resource is added or removed. */
  get all(): readonly ServedGroup[] {
    this.#all ??= [...this.#entries.values()].map((entry) => this.#served(entry)).sort(coreFirst);
    return this.#all;
  }

  /** A group by its name in paths. The same object until one of its resources is added or removed. */
  find(name: string): ServedGroup | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined ? undefined : this.#served(entry);
  }

  #changedEntry({ group: name, groupKey: key }: ServedResource): GroupEntry {
    this.#all = undefined;
    const found = this.#entries.get(name);
    if (found !== undefined) {
      found.served = undefined;
      return found;
    }
    const entry = { key, name, resources: new Set<ServedResource>(), served: undefined };
    this.#entries.set(name, entry);
    return entry;
  }

  #served(entry: GroupEntry): ServedGroup {
    entry.served ??= this.#compute(entry);
    return entry.served;
  }

  #compute({ key, name, resources }: GroupEntry): ServedGroup {
    const versions = Map.groupBy(resources, ({ version }) => version);
    const served = [...versions].map(([version, all]) => ({
      version,
      apiVersion: name === '' ? version : `${name}/${version}`,
      resources: all.sort(byName),
    }));
    const wasServed = (version: string): boolean =>
      isCustomGroup(key) || this.#source.servedBefore.has(`${key}/${version}`);
    const declared = findGroup(key);
    return { key, name, versions: orderVersions(declared, served, wasServed), declared };
  }
}

/** The priority of the API service of a built-in version in a release; undefined for a version without an API service. */
export const apiServicePriority = (
  { declared }: ServedGroup,
  version: string,
  release: Release,
): number | undefined => declared && versionPriority(declared, version, release);

/** Keys of built-in groups have no dot. The versions of custom groups have no releases: all count as served before. */
export const isCustomGroup = (groupKey: string): boolean => groupKey.includes('.');

const coreFirst = (a: ServedGroup, b: ServedGroup): number =>
  a.name === '' ? -1 : b.name === '' ? 1 : compareGroups(a, b);

const byName = (a: ServedResource, b: ServedResource): number => (a.type.resource < b.type.resource ? -1 : 1);

/** The subresources that this server answers, by name. */
export const servedSubresources = ({ type }: Pick<ServedResource, 'type'>): readonly Subresource[] =>
  type.subresources.toSorted((a, b) => (a.name < b.name ? -1 : 1));
