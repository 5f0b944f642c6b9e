import type { EndpointSlice } from '@orch/kinds/discovery';
import { jsonEquals } from '@orch/machinery/json';
import { type IpFamily, parseIp } from '@orch/machinery/net';
import { everythingFilter, type InternalResource, type ServerContext } from '@orch/registry';
import type { ReplicaAddress } from './replica-leases.ts';

const PORT_NAME = 'https';

/** Maximum number of replicas in one slice: of one family, on one port. */
interface Group {
  readonly family: IpFamily;
  readonly port: number;
  readonly ips: readonly string[];
}

function groupsOf(replicas: readonly ReplicaAddress[]): readonly Group[] {
  const groups = new Map<string, { family: IpFamily; port: number; ips: string[] }>();
  for (const { ip, port } of replicas) {
    const family = parseIp(ip)?.family ?? 'IPv4';
    const key = `${String(port).padStart(5, '0')} ${family}`;
    const group = groups.get(key) ?? { family, port, ips: [] };
    groups.set(key, group);
    group.ips.push(ip);
  }
  for (const { ips } of groups.values()) ips.sort();
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** Writes the endpoints of the default service: Endpoints, and EndpointSlices if they are served. */
export async function writeApiEndpoints(
  context: ServerContext,
  replicas: readonly ReplicaAddress[],
  signal: AbortSignal,
): Promise<void> {
  const groups = groupsOf(replicas);
  await Promise.all([writeEndpoints(context, groups, signal), writeSlices(context, groups, signal)]);
}

async function writeEndpoints(
  context: ServerContext,
  groups: readonly Group[],
  signal: AbortSignal,
): Promise<void> {
  const resource = context.objects.resource('', 'endpoints');
  if (resource === undefined) return;
  const { defaultService: name, namespaces, labels } = context.names;
  const subsets = groups.map(({ port, ips }) => ({
    addresses: ips.map((ip) => ({ ip })),
    ports: [{ name: PORT_NAME, port, protocol: 'TCP' }],
  }));
  const own = { [labels.endpointSliceSkipMirror]: 'true' };
  await resource.ensure(
    { namespace: namespaces.default, name },
    {
      fresh: { kind: 'Endpoints', apiVersion: 'v1', metadata: { labels: own }, subsets },
      change(endpoints) {
        endpoints.metadata.labels = { ...endpoints.metadata.labels, ...own };
        // The content is canonical, so that unchanged endpoints are not written.
        if (subsets.length === 0) delete endpoints.subsets;
        else if (!jsonEquals(endpoints.subsets, subsets)) endpoints.subsets = subsets;
      },
    },
    signal,
  );
}

async function writeSlices(
  context: ServerContext,
  groups: readonly Group[],
  signal: AbortSignal,
): Promise<void> {
  const resource = context.objects.resource('discovery', 'endpointslices');
  if (resource === undefined) return;
  const { defaultService, namespaces, labels } = context.names;
  const own = { [labels.serviceName]: defaultService };
  const namespace = namespaces.default;
  const wanted = new Set<string>();
  for (const [i, group] of groups.entries()) {
    const name = i === 0 ? defaultService : `${defaultService}-${group.family.toLowerCase()}-${group.port}`;
    wanted.add(name);
    const content = sliceContent(group);
    await resource.ensure(
      { namespace, name },
      {
        fresh: { ...resource.typeMeta, metadata: { labels: own }, ...content },
        change(slice) {
          slice.metadata.labels = { ...slice.metadata.labels, ...own };
          if (!jsonEquals(contentOf(slice), content)) Object.assign(slice, content);
        },
      },
      signal,
    );
  }
  await removeStale(context, resource, wanted, signal);
  if (!wanted.has(defaultService)) {
    await resource.change({ namespace, name: defaultService }, (slice) => (slice.endpoints = []), signal);
  }
}

type SliceContent = Pick<EndpointSlice, 'addressType' | 'endpoints' | 'ports'>;

const contentOf = ({ addressType, endpoints, ports }: EndpointSlice): object => ({
  addressType,
  endpoints,
  ports,
});

const sliceContent = ({ family, port, ips }: Group): SliceContent => ({
  addressType: family,
  endpoints: ips.map((ip) => ({ addresses: [ip], conditions: { ready: true } })),
  ports: [{ name: PORT_NAME, protocol: 'TCP', port }],
});

/** Removes slices of groups without replicas. Slices that others created for the service are not touched. */
async function removeStale(
  context: ServerContext,
  resource: InternalResource,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { defaultService, namespaces } = context.names;
  const scope = { prefix: `${namespaces.default}/${defaultService}-ipv` };
  const page = await resource.cache.list({ scope, filter: everythingFilter }, signal);
  for (const { key } of page.objects) {
    const name = key.slice(key.indexOf('/') + 1);
    if (wanted.has(name) || !/-ipv[46]-\d{1,5}$/.test(name)) continue;
    await resource.delete({ namespace: namespaces.default, name }, signal);
  }
}
