import type * as core from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { canonicalIp, type IpFamily, isIpFamily } from '@orch/machinery/net';

/** The spec of a decoded service, which allocation may change. */
export type ServiceSpec = Draft<core.ServiceSpec>;

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
] as const;

/** The spec of a service; empty if the object has none. */
export const serviceSpec = (service: Draft<core.Service>): ServiceSpec => service.spec ?? {};

/** Restores the order of the fields after some were added. */
export function putInOrder(service: Draft<core.Service>): void {
  const spec = serviceSpec(service);
  const present = order.filter((field) => spec[field] !== undefined);
  service.spec = { ...Object.fromEntries(present.map((field) => [field, spec[field]])), ...spec };
}

/** The addresses of a service as the client wrote them; `None` for a headless one. */
export function addressesOf({ clusterIP, clusterIPs }: ServiceSpec): readonly string[] {
  if (clusterIPs !== undefined && clusterIPs.length > 0) return clusterIPs;
  return clusterIP === undefined || clusterIP === '' ? [] : [clusterIP];
}

/** The address families of a service. */
export const familiesOf = ({ ipFamilies = [] }: ServiceSpec): readonly IpFamily[] =>
  ipFamilies.filter(isIpFamily);

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
