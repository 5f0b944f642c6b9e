import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Pod, Service } from '@orch/kinds/core';
import { errors, type Random } from '@orch/machinery';
import { type AcceptsAddress, type Destination, isAllowedAddress } from '@orch/outbound';
import type { CoreObjects } from '@orch/registry';
import type { NodeAgents } from '../agent/node-agents.ts';
import { type EndpointAddress, endpointsOf, podsOnly, type ServicePort } from './service-endpoints.ts';

/**
 * Pods have addresses and no host names, so their certificates are not verified. This server presents no client
 * certificate: a pod could otherwise use it at servers that trust this one.
 */
const anonymousTls = { context: createSecureContext({ minVersion: 'TLSv1.2' }), verify: false } as const;

const plainPort = { http: 80, https: 443 } as const;

/** Destinations of `proxy` requests. */
export interface Targets {
  readonly objects: CoreObjects;
  readonly agents: NodeAgents;
  readonly random: Random;
}

type ProxiedResource = 'pods' | 'services' | 'nodes';

/** The destination of a request for `proxy`. Throws `ApiError`: 400, 404, or 503 without a ready endpoint. */
export function proxiedDestination(
  targets: Targets,
  resource: ProxiedResource,
  namespace: string,
  requested: string,
): Destination {
  switch (resource) {
    case 'pods':
      return podDestination(targets, namespace, parseProxiedName(requested, 'pod'));
    case 'services':
      return serviceDestination(targets, namespace, parseProxiedName(requested, 'service'));
    case 'nodes':
      return nodeDestination(targets, parseProxiedName(requested, 'node'));
  }
}

function podDestination({ objects }: Targets, namespace: string, requested: ProxiedName): Destination {
  const pod = objects.get('pods', namespace, requested.name);
  const host = addressOfPod(pod);
  if (!isAllowedAddress(host, 'workload')) {
    throw errors.badRequest(
      host === ''
        ? `pod ${requested.name} does not have an address yet`
        : `pod ${requested.name} cannot be reached at ${host}: address not allowed`,
    );
  }
  return workload(requested.scheme, host, podPort(pod, requested), `pod ${JSON.stringify(requested.name)}`);
}

function addressOfPod({ status: { podIPs = [], podIP = '' } = {} }: Pod): string {
  return podIPs[0]?.ip || podIP;
}

/** The requested port, by number or container port name; otherwise the first port of any container. */
function podPort(pod: Pod, { port, scheme, name }: ProxiedName): number {
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  if (port === '') return ports[0]?.containerPort || plainPort[scheme];
  const found = portNumber(port) ?? ports.find((one) => one.name === port)?.containerPort ?? 0;
  if (found === 0) throw errors.badRequest(`pod ${name} has no port ${JSON.stringify(port)}`);
  return found;
}

/** A random ready endpoint of a service. */
function serviceDestination(
  targets: Pick<Targets, 'objects' | 'random'>,
  namespace: string,
  requested: ProxiedName,
): Destination {
  const service = targets.objects.get('services', namespace, requested.name);
  const { host, port } = readyEndpoint(targets, service, { ...requested, namespace, accepts: podsOnly });
  return workload(requested.scheme, host, port, serviceTitle(requested.name));
}

interface RequestedEndpoint extends Pick<ProxiedName, 'name' | 'port'> {
  readonly namespace: string;
  readonly accepts: AcceptsAddress;
}

/** A random ready endpoint of a service; throws 503 without one. */
function readyEndpoint(
  { objects, random }: Pick<Targets, 'objects' | 'random'>,
  service: Service,
  { namespace, name, port, accepts }: RequestedEndpoint,
): EndpointAddress {
  const selected = { portName: servicePortName(service, { name, port }), accepts };
  const [first] = shuffled(endpointsOf(objects, { namespace, name }, selected), random);
  if (first !== undefined) return first;
  throw errors.serviceUnavailable(`no endpoints available for ${serviceTitle(name)}`, 0);
}

const anyAddress: AcceptsAddress = () => true;

const serviceTitle = (name: string): string => `service ${JSON.stringify(name)}`;

/** The addresses from a random one on. Later ones are checked only if they are used. */
function* shuffled(
  found: Iterable<() => EndpointAddress | undefined>,
  random: Random,
): Generator<EndpointAddress> {
  const all = [...found];
  const start = all.length === 0 ? 0 : random.int(all.length);
  for (let at = 0; at < all.length; at++) {
    const address = all[(start + at) % all.length]?.();
    if (address !== undefined) yield address;
  }
}

/**
 * The address of a ready endpoint of a service, by its port, for a caller that verifies that the certificate there is valid for
 * the service: addresses of no pods count for a service without a selector. One of type ExternalName is at the name that it
 * gives. Throws `ApiError`: 404, or 503 when nothing serves it.
 */
export function serviceAddress(
  targets: Pick<Targets, 'objects' | 'random'>,
  { namespace, name, port }: ServicePort,
): EndpointAddress {
  const service = targets.objects.get('services', namespace, name);
  const external = externalNameOf(service);
  if (external !== undefined) return { host: external, port };
  const accepts = hasSelector(service) ? podsOnly : anyAddress;
  return readyEndpoint(targets, service, { namespace, name, port: String(port), accepts });
}

/** Reports whether the endpoints of a service were made from pods; otherwise a user has written them. */
export function hasSelector(service: Service): boolean {
  return Object.keys(service.spec?.selector ?? {}).length > 0;
}

/** The host name at which a service of type ExternalName is; undefined for other types. */
export function externalNameOf(service: Service): string | undefined {
  const { type, externalName = '' } = service.spec ?? {};
  return type === 'ExternalName' ? externalName.replace(/\.$/, '') : undefined;
}

/** Endpoints use the port names of the service; a number refers to the port of the service. */
function servicePortName(service: Service, { port, name }: Pick<ProxiedName, 'port' | 'name'>): string {
  const number = portNumber(port);
  if (number === undefined) return port;
  const found = service.spec?.ports?.find((one) => one.port === number);
  if (found === undefined) {
    throw errors.serviceUnavailable(`no service port ${number} found for service ${JSON.stringify(name)}`, 0);
  }
  return found.name ?? '';
}

/**
 * The node agent, or another port of the node, which is an ordinary program and receives no credentials of this server.
 */
function nodeDestination({ objects, agents }: Targets, requested: ProxiedName): Destination {
  const node = objects.get('nodes', '', requested.name);
  const port = portNumber(requested.port);
  if (requested.port !== '' && port === undefined) {
    throw errors.badRequest(`invalid port ${JSON.stringify(requested.port)} of node ${requested.name}`);
  }
  if (port === undefined || port === agents.portOf(node)) return agents.destination(node);
  const host = agents.addressOf(node);
  if (isIP(host) !== 0 && !isAllowedAddress(host, 'workload')) {
    throw errors.badRequest(`node ${requested.name} cannot be reached at ${host}: address not allowed`);
  }
  return workload(requested.scheme, host, port, `node ${JSON.stringify(requested.name)}`);
}

const workload = (scheme: ProxiedName['scheme'], host: string, port: number, title: string): Destination => ({
  host,
  port,
  use: 'workload',
  title,
  ...(scheme === 'https' ? { tls: anonymousTls } : {}),
});

/** The name in a proxy request: `[http|https:]NAME[:port]`, where `:NAME:port` is allowed too. */
interface ProxiedName {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  /** Number or name of a port; empty when none is given. */
  readonly port: string;
}

/** Parses the name in a request for `proxy`; 400 when it is malformed. `kind` is for the message. */
function parseProxiedName(text: string, kind: string): ProxiedName {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] =
    parts.length === 1 ? ['', ...parts] : parts.length === 2 ? ['', ...parts] : parts;
  if (parts.length > 3 || name === '' || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) {
    throw errors.badRequest(`invalid ${kind} request ${JSON.stringify(text.slice(0, 300))}`);
  }
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

/** Parses a port number; undefined for any other text. */
function portNumber(text: string): number | undefined {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}
