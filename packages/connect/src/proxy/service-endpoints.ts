import type { Endpoints, ObjectReference } from '@orch/kinds/core';
import type { EndpointSlice } from '@orch/kinds/discovery';
import { type AcceptsAddress, isAllowedAddress } from '@orch/outbound';
import type { CoreObjects } from '@orch/registry';

type FoundObjects = Pick<CoreObjects, 'find' | 'slices'>;

/** A port of a service. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** The address of one endpoint of a service. */
export interface EndpointAddress {
  readonly host: string;
  readonly port: number;
}

export const podsOnly: AcceptsAddress = () => false;

/** The port of a service by its name, and the addresses that count although they belong to no pod. */
export interface SelectedEndpoints {
  readonly portName: string;
  readonly accepts: AcceptsAddress;
}

/**
 * The ready endpoints of a named port of a service, checked one after another as they are taken. Addresses of pods of the
 * namespace count, others only where `accepts` allows them: authors of Endpoints could otherwise have this server dial any
 * address. The EndpointSlices of the service count where its Endpoints have no address with the port.
 */
export function* endpointsOf(
  objects: FoundObjects,
  { namespace, name }: Pick<ServicePort, 'namespace' | 'name'>,
  { portName, accepts }: SelectedEndpoints,
): Generator<() => EndpointAddress | undefined> {
  const endpoints = objects.find('endpoints', namespace, name);
  const listed = [...addressesIn(endpoints, portName)];
  const found =
    listed.length > 0
      ? listed
      : objects.slices(namespace, name).flatMap((slice) => [...addressesInSlice(slice, portName)]);
  for (const { host, port, target } of found)
    yield () => {
      if (!isAllowedAddress(host, 'workload')) return undefined;
      const isUsed = isAddressOfPod(objects, namespace, { host, target }) || accepts(host);
      return isUsed ? { host, port } : undefined;
    };
}

/** An address with the object that it belongs to. */
interface ListedAddress extends EndpointAddress {
  readonly target: ObjectReference | undefined;
}

interface NamedPort {
  readonly name?: string;
  readonly port?: number;
}

const portOf = (ports: readonly NamedPort[] | null | undefined, portName: string): number =>
  ports?.find(({ name = '' }) => name === portName)?.port ?? 0;

function* addressesIn(endpoints: Endpoints | undefined, portName: string): Generator<ListedAddress> {
  for (const { ports, addresses = [] } of endpoints?.subsets ?? []) {
    const port = portOf(ports, portName);
    if (port === 0) continue;
    for (const { ip = '', targetRef } of addresses) yield { host: ip, port, target: targetRef };
  }
}

/** An endpoint without a condition is ready. Names are not resolved: they may lead anywhere. */
function* addressesInSlice(slice: EndpointSlice, portName: string): Generator<ListedAddress> {
  const port = portOf(slice.ports, portName);
  if (port === 0 || slice.addressType === 'FQDN') return;
  for (const { addresses, conditions, targetRef } of slice.endpoints ?? []) {
    if (conditions?.ready === false) continue;
    // The addresses of one endpoint lead to the same server: consumers use the first.
    const [host = ''] = addresses ?? [];
    yield { host, port, target: targetRef };
  }
}

/** The addresses of all ready endpoints of a named port of a service that may be dialled, in the order of the objects. */
export const serviceEndpoints = (
  objects: FoundObjects,
  service: Pick<ServicePort, 'namespace' | 'name'>,
  { portName, accepts = podsOnly }: Pick<SelectedEndpoints, 'portName'> & Partial<SelectedEndpoints>,
): readonly EndpointAddress[] =>
  [...endpointsOf(objects, service, { portName, accepts })].flatMap((checked) => checked() ?? []);

function isAddressOfPod(
  objects: Pick<CoreObjects, 'find'>,
  namespace: string,
  { host, target }: Pick<ListedAddress, 'host' | 'target'>,
): boolean {
  if (target?.kind !== 'Pod' || target.namespace !== namespace) return false;
  const { podIP, podIPs = [] } = objects.find('pods', namespace, target.name ?? '')?.status ?? {};
  return podIP === host || podIPs.some(({ ip }) => ip === host);
}
