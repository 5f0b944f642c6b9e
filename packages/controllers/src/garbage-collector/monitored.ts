import type { DiscoveredResource, DiscoverySnapshot, Resource } from '@orch/client';
import { formatApiVersion, type Names } from '@orch/machinery';

export const resourceKey = ({ group, version, resource }: Resource): string =>
  `${resource}.${version}.${group}`;

const needed = ['list', 'watch', 'delete'];

/** Events speak of objects and belong to none; there are many, and they go by themselves. */
const isEvents = ({ group, resource }: Resource, names: Names): boolean =>
  resource === 'events' && (group === '' || group === names.group('events'));

/**
 * The resources whose objects own or are owned: all that can be watched and deleted, each in one version. Those that
 * stand in parts of discovery that could not be read are kept as they were.
 */
export function monitored(
  { preferred, failed }: DiscoverySnapshot,
  before: Iterable<Resource>,
  names: Names,
): readonly Resource[] {
  const isMonitored = (resource: DiscoveredResource): boolean =>
    needed.every((verb) => resource.verbs.includes(verb)) && !isEvents(resource, names);
  const found = new Map(preferred.filter(isMonitored).map((each) => [resourceKey(each), each as Resource]));
  for (const resource of before) {
    if (failed.has(formatApiVersion(resource))) found.set(resourceKey(resource), resource);
  }
  return [...found.values()];
}
