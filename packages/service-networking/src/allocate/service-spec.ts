import type { ApiObject } from '@orch/machinery';
import { canonicalIp, type IpFamily } from '@orch/machinery/net';

export interface ServicePort {
  readonly port: number;
  readonly protocol: string;
  nodePort?: number;
}

/** The fields of a decoded and validated service that allocation reads and writes. */
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

/** Stored order of the fields that allocation may add, and of their neighbours. */
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

/** Restores the order of the fields after some were added. */
export function putInOrder(service: ApiObject): void {
  const spec = service['spec'] as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  for (const field of order) if (spec[field] !== undefined) ordered[field] = spec[field];
  service['spec'] = { ...ordered, ...spec };
}

/** The addresses of a service as the client wrote them; `None` for a headless one. */
export function addressesOf({ clusterIP, clusterIPs }: ServiceSpec): readonly string[] {
  if (clusterIPs !== undefined && clusterIPs.length > 0) return clusterIPs;
  return clusterIP === undefined || clusterIP === '' ? [] : [clusterIP];
}

export const isHeadless = (spec: ServiceSpec): boolean => addressesOf(spec)[0] === 'None';

export const needsAddresses = (spec: ServiceSpec): boolean =>
  spec.type !== 'ExternalName' && !isHeadless(spec);

/** Reports whether ports without a node port get one. */
export const needsNodePorts = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);

export const needsHealthCheckPort = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** The values that a service uses, in canonical form. */
export interface AllocatedValues {
  readonly addresses: ReadonlySet<string>;
  readonly ports: ReadonlySet<string>;
}

/** The values that a service uses; none for an absent service. */
export function allocatedValuesOf(spec: ServiceSpec | undefined): AllocatedValues {
  if (spec === undefined || spec.type === 'ExternalName') return { addresses: new Set(), ports: new Set() };
  const addresses = addressesOf(spec).flatMap((address) => canonicalIp(address) ?? []);
  const ports = [...(spec.ports ?? []).map(({ nodePort }) => nodePort), spec.healthCheckNodePort];
  return {
    addresses: new Set(addresses),
    ports: new Set(ports.flatMap((port) => (port === undefined || port === 0 ? [] : String(port)))),
  };
}
