import type { DiscoveredResource, DiscoverySnapshot, Resource } from '@orch/client';
import { formatApiVersion, type Names } from '@orch/machinery';

export const resourceKey = ({ group, version, resource }: Resource): string =>
  `${resource}.${version}.${group}`;

const requiredVerbs = ['list', 'watch', 'delete'];

/** Events have no owners, are numerous, and expire. */
const isEvents = ({ group, resource }: Resource, names: Names): boolean =>
  resource === 'events' && (group === '' || group === names.group('events'));

/**
 * The resources to monitor: all that can be watched and deleted, each in its preferred version. Resources of group
 * versions whose discovery failed stay as they were.
 */
export function monitored(
  { preferred, failed }: DiscoverySnapshot,
  before: Iterable<Resource>,
  names: Names,
): readonly Resource[] {
  const isMonitored = (resource: DiscoveredResource): boolean =>
    requiredVerbs.every((verb) => resource.verbs.includes(verb)) && !isEvents(resource, names);
  const found = new Map(preferred.filter(isMonitored).map((each) => [resourceKey(each), each as Resource]));
  for (const resource of before) {
    if (failed.has(formatApiVersion(resource))) found.set(resourceKey(resource), resource);
  }
  return [...found.values()];
}
