import { compareVersions } from '@orch/apis';
import {
  customPriority,
  type ExtensionApis,
  type ExtensionState,
  type ExtensionVersion,
} from './extension-apis.ts';
import { isCustomGroup, type ServedGroup, type ServedGroups, type ServedVersion } from './served-groups.ts';

export type ListedVersion = ServedVersion | ExtensionVersion;

/** A group as discovery lists it: versions of this server and of extension API servers, the preferred one first. */
export interface ListedGroup {
  readonly name: string;
  readonly versions: readonly ListedVersion[];
}

export const isExtension = (version: ListedVersion): version is ExtensionVersion => 'discovered' in version;

/** A group that API services add to or put in order. */
interface Merged {
  readonly served: ServedGroup | undefined;
  readonly state: ExtensionState;
  readonly group: ListedGroup;
}

interface All {
  readonly served: readonly ServedGroup[];
  readonly state: ExtensionState;
  readonly groups: readonly ListedGroup[];
}

/**
 * The groups of this server joined with those of extension API servers, in the order of the priorities of API services.
 * Built-in versions precede other versions of their groups, whatever the API services of those set.
 */
export class ListedGroups {
  readonly #served: ServedGroups;
  readonly #extensions: ExtensionApis;
  readonly #merged = new Map<string, Merged>();
  /** The state from which `#byGroup` was computed. */
  #state: ExtensionState | undefined;
  #byGroup: ReadonlyMap<string, GroupExtensions> = new Map();
  #all: All | undefined;

  constructor(served: ServedGroups, extensions: ExtensionApis) {
    this.#served = served;
    this.#extensions = extensions;
  }

  /** The core group first. The same array until a resource, an extension API server or a priority changes. */
  get all(): readonly ListedGroup[] {
    const { all: served } = this.#served;
    const { state } = this.#extensions;
    if (this.#all?.served === served && this.#all.state === state) return this.#all.groups;
    const groups = this.#extensionsOf(state).size === 0 ? served : this.#joined(served, state);
    this.#all = { served, state, groups };
    return groups;
  }

  /** A group by its name in paths. The same object until the group or an API service changes. */
  find(name: string): ListedGroup | undefined {
    const served = this.#served.find(name);
    const { state } = this.#extensions;
    const extensions = this.#extensionsOf(state).get(name);
    if (extensions === undefined) return served;
    const known = this.#merged.get(name);
    if (known?.served === served && known?.state === state) return known?.group;
    const versions = versionsOf(served, extensions, state);
    if (versions.length === 0) return undefined;
    const group = { name, versions };
    this.#merged.set(name, { served, state, group });
    return group;
  }

  #joined(served: readonly ServedGroup[], state: ExtensionState): readonly ListedGroup[] {
    const names = new Set([...served.map(({ name }) => name), ...this.#extensionsOf(state).keys()]);
    const ranked = [...names].flatMap((name) => {
      const group = this.find(name);
      return group === undefined ? [] : { group, priority: this.#priorityOf(group, state) };
    });
    return ranked
      .sort((a, b) => b.priority - a.priority || byName(a.group, b.group))
      .map(({ group }) => group);
  }

  /** The priority of a built-in group is fixed; other groups have the highest of their versions. */
  #priorityOf({ name, versions }: ListedGroup, { priorities }: ExtensionState): number {
    if (name === '') return Number.POSITIVE_INFINITY;
    const served = this.#served.find(name);
    if (isBuiltIn(served)) return served.declared?.priority ?? customPriority.group;
    const all = versions.map(({ apiVersion }) => (priorities.get(apiVersion) ?? customPriority).group);
    return Math.max(...all);
  }

  #extensionsOf(state: ExtensionState): ReadonlyMap<string, GroupExtensions> {
    if (this.#state === state) return this.#byGroup;
    this.#state = state;
    this.#byGroup = byGroup(state);
    for (const name of this.#merged.keys()) if (!this.#byGroup.has(name)) this.#merged.delete(name);
    return this.#byGroup;
  }
}

/** The group versions of extension API servers in one group; empty for a group that has priorities only. */
type GroupExtensions = readonly ExtensionVersion[];

function byGroup({ versions, priorities }: ExtensionState): ReadonlyMap<string, GroupExtensions> {
  const groups = new Map<string, ExtensionVersion[]>(Map.groupBy(versions, ({ group }) => group));
  for (const apiVersion of priorities.keys()) {
    const group = apiVersion.slice(0, apiVersion.lastIndexOf('/'));
    if (!groups.has(group)) groups.set(group, []);
  }
  return groups;
}

function versionsOf(
  served: ServedGroup | undefined,
  extensions: GroupExtensions,
  { priorities }: ExtensionState,
): readonly ListedVersion[] {
  const priority = ({ apiVersion }: ListedVersion): number =>
    (priorities.get(apiVersion) ?? customPriority).version;
  const sorted = (versions: readonly ListedVersion[]): readonly ListedVersion[] =>
    versions.toSorted((a, b) => priority(b) - priority(a) || compareVersions(a.version, b.version));
  const own = served?.versions ?? [];
  // An extension API server replaces a version of custom resources, and never a built-in one.
  if (isBuiltIn(served)) return [...own, ...sorted(extensions.filter((one) => !hasVersion(own, one)))];
  return sorted([...own.filter((one) => !hasVersion(extensions, one)), ...extensions]);
}

const hasVersion = (versions: readonly ListedVersion[], { version }: ListedVersion): boolean =>
  versions.some((one) => one.version === version);

const isBuiltIn = (served: ServedGroup | undefined): served is ServedGroup =>
  served !== undefined && !isCustomGroup(served.key);

const byName = (a: ListedGroup, b: ListedGroup): number => (a.name < b.name ? -1 : 1);
