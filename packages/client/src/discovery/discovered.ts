import { compareVersions, formatApiVersion } from '@orch/machinery';
import type { DiscoveredResource, DiscoverySnapshot } from './types.ts';

/** One version of a group, with its resources or the reason why they are unknown. */
export interface DiscoveredVersion {
  readonly group: string;
  readonly version: string;
  /** The reason why its resources are unknown. */
  readonly failure?: string;
  readonly resources: readonly DiscoveredResource[];
}

/** `versions`: those of one group are in the order of preference of the server. */
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

/** The versions of a group with the preferred one first, the others in the order of the server. */
export function inPreference(versions: readonly string[], preferred: string | undefined): readonly string[] {
  if (preferred === undefined || !versions.includes(preferred)) return [...versions].sort(compareVersions);
  return [preferred, ...versions.filter((version) => version !== preferred)];
}
