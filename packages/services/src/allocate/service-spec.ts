import { type ApiObject, canonicalIp, type IpFamily } from '@orch/machinery';

export interface ServicePort {
  readonly port: number;
  readonly protocol: string;
  nodePort?: number;
}

/** What allocation reads and writes of a service that was decoded and validated. */
export interface ServiceSpec {
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
  readonly ports?: ServicePort[];
  readonly selector?: Readonly<Record<string, string>>;
  readonly externalTrafficPolicy?: string;
  readonly allocateLoadBalancerNodePorts?: boolean;
  clusterIP?: string;
  clusterIPs?: string[];
  ipFamilies?: IpFamily[];
  ipFamilyPolicy?: 'SingleStack' | 'PreferDualStack' | 'RequireDualStack';
  healthCheckNodePort?: number;
}

/** Members in the order in which they are stored, as far as allocation may add to them. */
const order = [
  'ports',
  'selector',
  'clusterIP',
  'clusterIPs',
  'type',
  'externalIPs',
  'sessionAffinity',
  'loadBalancerIP',
  'loadBalancerSourceRanges',
  'externalName',
  'externalTrafficPolicy',
  'healthCheckNodePort',
  'publishNotReadyAddresses',
  'sessionAffinityConfig',
  'ipFamilies',
  'ipFamilyPolicy',
];

export const serviceSpec = (service: ApiObject): ServiceSpec => service['spec'] as unknown as ServiceSpec;

/** Puts back the order of members after some were added. */
export function putInOrder(service: ApiObject): void {
  const spec = service['spec'] as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  for (const member of order) if (spec[member] !== undefined) ordered[member] = spec[member];
  service['spec'] = { ...ordered, ...spec };
}

/** The addresses of a service as its clients wrote them; `None` for a headless one. */
export function addressesOf({ clusterIP, clusterIPs }: ServiceSpec): readonly string[] {
  if (clusterIPs !== undefined && clusterIPs.length > 0) return clusterIPs;
  return clusterIP === undefined || clusterIP === '' ? [] : [clusterIP];
}

export const isHeadless = (spec: ServiceSpec): boolean => addressesOf(spec)[0] === 'None';

export const needsAddresses = (spec: ServiceSpec): boolean =>
  spec.type !== 'ExternalName' && !isHeadless(spec);

/** Ports without a node port get one. */
export const needsNodePorts = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);

export const needsHealthCheckPort = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** The values that a service holds, in the form of claims. */
export interface Holdings {
  readonly addresses: ReadonlySet<string>;
  readonly ports: ReadonlySet<string>;
}

/** What a service holds; nothing for one that is not there. */
export function holdingsOf(spec: ServiceSpec | undefined): Holdings {
  if (spec === undefined || spec.type === 'ExternalName') return { addresses: new Set(), ports: new Set() };
  const addresses = addressesOf(spec).flatMap((address) => canonicalIp(address) ?? []);
  const ports = [...(spec.ports ?? []).map(({ nodePort }) => nodePort), spec.healthCheckNodePort];
  return {
    addresses: new Set(addresses),
    ports: new Set(ports.flatMap((port) => (port === undefined || port === 0 ? [] : String(port)))),
  };
}
