import { builtinTypes, type ResourceType } from '@orch/apis';
import { type Names, type Naming, namesFor, namingOf } from '@orch/machinery';
import { UsageError } from '@orch/program';
import { cacheNameOf } from '@orch/registry';

/** Resources in a separate etcd. */
export interface StoreOverride {
  /** The names of the resources in keys, in the order of keys: `events`, `leases.coordination`. */
  readonly resources: readonly string[];
  readonly servers: readonly string[];
}

interface OverrideFlags {
  readonly naming: Naming;
  readonly etcdServers: readonly string[];
  readonly etcdServersOverrides: readonly string[];
}

const FLAG = '--etcd-servers-overrides';
const FORMAT =
  'must be group/resource#servers with URLs separated by semicolons, as in /events#https://10.0.0.4:2379';

/**
 * The overrides of the flag, one for each set of servers, in the order of the flag. Those of the main servers are none. Throws
 * `UsageError`.
 */
export function storeOverridesOf(flags: OverrideFlags): readonly StoreOverride[] {
  const names = namesFor(flags.naming);
  const placed = new Map<string, string>();
  const found = new Map<string, { resources: string[]; readonly servers: readonly string[] }>();
  for (const text of flags.etcdServersOverrides) {
    const { resource, servers } = readOverride(text, names);
    const id = idOf(servers);
    if ((placed.get(resource) ?? id) !== id)
      throw invalid(text, `${resource} is also in ${placed.get(resource)}: name each resource once`);
    placed.set(resource, id);
    if (id === idOf(flags.etcdServers)) continue;
    const same = found.get(id);
    if (same === undefined) found.set(id, { resources: [resource], servers });
    else if (!same.resources.includes(resource)) same.resources.push(resource);
  }
  return [...found.values()].map(({ resources, servers }) => ({ resources: resources.sort(), servers }));
}

/** The same for the same servers in another order. */
const idOf = (servers: readonly string[]): string =>
  [...new Set(servers.map((server) => server.replace(/\/$/, '')))].sort().join(';');

function readOverride(
  text: string,
  names: Names,
): { readonly resource: string; readonly servers: readonly string[] } {
  const [resources = '', given, ...more] = text.split('#');
  const [group, resource, ...further] = resources.split('/');
  const servers = (given ?? '').split(';').map((server) => server.trim());
  if (more.length > 0 || further.length > 0 || group === undefined || !resource || servers.includes(''))
    throw invalid(text, FORMAT);
  for (const server of servers)
    if (!/^https?:\/\/[^/]+\/?$/.test(server) || !URL.canParse(server))
      throw invalid(text, `${JSON.stringify(server)} is not the URL of a server: ${FORMAT}`);
  return { resource: resourceOf(text, { group, resource }, names), servers };
}

/** The name in keys. A resource that is in no built-in group is a custom one. */
function resourceOf(
  text: string,
  { group, resource }: Pick<ResourceType, 'group' | 'resource'>,
  names: Names,
): string {
  const key = names.groupKey(group);
  if (key === undefined) return customResource(text, { group, resource }, names);
  const type = builtinTypes.find(
    (each) => each.resource === resource && groupsOf(each).includes(canonical(key)),
  );
  if (type === undefined)
    throw invalid(text, `there is no resource ${JSON.stringify(resource)} in ${groupText(group)}`);
  if (type.virtual === true) throw invalid(text, `${resource} are not stored`);
  return cacheNameOf(type);
}

const canonical = (groupKey: string): string => (groupKey === 'core' ? '' : groupKey);

/** The groups in which a type is served: events are in two. */
const groupsOf = ({ group, versions }: ResourceType): readonly string[] => [
  group,
  ...versions.map((version) => canonical(version.group ?? group)),
];

function customResource(
  text: string,
  { group, resource }: Pick<ResourceType, 'group' | 'resource'>,
  { naming }: Names,
): string {
  const other = namingOf(group);
  if (other !== undefined && other !== naming)
    throw invalid(text, `the group ${group} is that of --naming=${other}, and this is --naming=${naming}`);
  if (!group.includes('.') || !/^[a-z0-9.-]+$/.test(group) || !/^[a-z0-9-]+$/.test(resource))
    throw invalid(text, `there is no API group ${JSON.stringify(group)}`);
  return cacheNameOf({ group, resource });
}

const groupText = (group: string): string => (group === '' ? 'the core group' : `the group ${group}`);

const invalid = (text: string, problem: string): UsageError =>
  new UsageError(`invalid value ${JSON.stringify(text)} for ${FLAG}: ${problem}`);
