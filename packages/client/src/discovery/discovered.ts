import { compareVersions, formatApiVersion } from '@orch/machinery';
import type { DiscoveredResource, DiscoverySnapshot } from './types.ts';

/** One version of a group, with what could be learned of it. */
export interface DiscoveredVersion {
  readonly group: string;
  readonly version: string;
  /** Why its resources are not known. */
  readonly failure?: string;
  readonly resources: readonly DiscoveredResource[];
}

/** `versions`: those of one group stand in the order in which the server prefers them. */
export function snapshotOf(versions: readonly DiscoveredVersion[]): DiscoverySnapshot {
  const preferred = new Map<string, DiscoveredResource>();
  const failed = new Map<string, string>();
  for (const { group, version, failure, resources } of versions) {
    if (failure !== undefined) failed.set(formatApiVersion({ group, version }), failure);
    for (const resource of resources) {
      const key = `${group}/${resource.resource}`;
      if (!preferred.has(key)) preferred.set(key, resource);
    }
  }
  return { all: versions.flatMap(({ resources }) => resources), preferred: [...preferred.values()], failed };
}

/** The versions of a group with the preferred one first, the others as they were told. */
export function inPreference(versions: readonly string[], preferred: string | undefined): readonly string[] {
  if (preferred === undefined || !versions.includes(preferred)) return [...versions].sort(compareVersions);
  return [preferred, ...versions.filter((version) => version !== preferred)];
}
