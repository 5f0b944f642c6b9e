import { isBeingDeleted, type kinds } from '@orch/client';
import { hasEnded, isReady } from '../pods/pod-state.ts';

type Pod = kinds.core.Pod;
type Service = kinds.core.Service;
type Endpoint = kinds.discovery.Endpoint;
type EndpointPort = kinds.discovery.EndpointPort;

export type AddressType = 'IPv4' | 'IPv6';

/** The address types of the endpoints of a service. */
export const addressTypesOf = ({ spec }: Service): readonly AddressType[] => {
  const families = (spec?.ipFamilies ?? []).filter((each) => each === 'IPv4' || each === 'IPv6');
  return families.length === 0 ? ['IPv4'] : families;
};

/** The endpoint of a pod in a zone; undefined while the pod has no address of this type, and after its end. */
export function endpointOf(
  pod: Pod,
  service: Service,
  type: AddressType,
  zone?: string,
): Endpoint | undefined {
  const addresses = pod.status?.podIPs?.map(({ ip = '' }) => ip) ?? [pod.status?.podIP ?? ''];
  const address = addresses.find((each) => each !== '' && each.includes(':') === (type === 'IPv6'));
  if (address === undefined || hasEnded(pod)) return undefined;
  const isTerminating = isBeingDeleted(pod);
  const serving = isReady(pod);
  const { name, namespace, uid } = pod.metadata;
  const { nodeName, hostname, subdomain } = pod.spec ?? {};
  const isNamed = hostname !== undefined && subdomain !== undefined && subdomain === service.metadata.name;
  return {
    addresses: [address],
    conditions: {
      ready: service.spec?.publishNotReadyAddresses === true || (serving && !isTerminating),
      serving,
      terminating: isTerminating,
    },
    ...(isNamed && { hostname }),
    ...(nodeName !== undefined && { nodeName }),
    ...(zone !== undefined && { zone }),
    targetRef: {
      kind: 'Pod',
      ...(namespace !== undefined && { namespace }),
      ...(name !== undefined && { name }),
      ...(uid !== undefined && { uid }),
    },
  };
}

/** The ports of a service at a pod. A named port that no container has is omitted. */
export function portsOf({ spec }: Service, pod: Pod): readonly EndpointPort[] {
  return (spec?.ports ?? []).flatMap((port): EndpointPort[] => {
    const protocol = port.protocol ?? 'TCP';
    const number = numberOf(port.targetPort ?? port.port, protocol, pod);
    if (number === undefined) return [];
    const { appProtocol } = port;
    return [
      { name: port.name ?? '', protocol, port: number, ...(appProtocol !== undefined && { appProtocol }) },
    ];
  });
}

function numberOf(target: number | string, protocol: string, { spec }: Pod): number | undefined {
  if (typeof target === 'number') return target;
  // Init containers that keep running can serve, too.
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const named = [...(spec?.containers ?? []), ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .find((port) => port.name === target && (port.protocol ?? 'TCP') === protocol);
  return named?.containerPort;
}
