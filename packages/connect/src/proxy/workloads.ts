import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { type ApiObject, asNumber, asObjects, asText, errors, objectAt, type Random } from '@orch/machinery';
import type { CoreObjects } from '@orch/registry';
import type { NodeAgents } from '../agent/node-agents.ts';
import { isAllowedAddress } from '../dial/addresses.ts';
import type { Destination } from '../dial/dial.ts';
import { type ProxiedName, parseProxiedName, portNumber } from './proxied-name.ts';

/**
 * Pods have addresses and no names that a certificate could be checked for, so none is. This server shows no
 * certificate of its own: to whoever trusts it, a pod could otherwise be a way to act in its name.
 */
const anonymousTls = { context: createSecureContext({ minVersion: 'TLSv1.2' }), verify: false } as const;

const plainPort = { http: 80, https: 443 } as const;

/** Where requests for `proxy` subresources go. */
export interface Targets {
  readonly objects: CoreObjects;
  readonly agents: NodeAgents;
  readonly random: Random;
}

type ProxiedResource = 'pods' | 'services' | 'nodes';

/** The destination that a request for `proxy` names. Throws `ApiError`: 400, 404, or 503 when nothing serves it. */
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

function addressOfPod(pod: ApiObject): string {
  const status = objectAt(pod, 'status');
  return asText(asObjects(status['podIPs'])[0]?.['ip']) || asText(status['podIP']);
}

/** The port that is requested for, by number or by the name that a container gives it; else the first of any container. */
function podPort(pod: ApiObject, { port, scheme, name }: ProxiedName): number {
  const ports = asObjects(objectAt(pod, 'spec')['containers']).flatMap((one) => asObjects(one['ports']));
  if (port === '') return asNumber(ports[0]?.['containerPort']) || plainPort[scheme];
  const found = portNumber(port) ?? asNumber(ports.find((one) => one['name'] === port)?.['containerPort']);
  if (found === 0) throw errors.badRequest(`pod ${name} has no port ${JSON.stringify(port)}`);
  return found;
}

/**
 * A ready endpoint of a service, by chance. Only addresses of pods of the namespace count: whoever may write Endpoints
 * could otherwise have this server call any address that it reaches.
 */
function serviceDestination(targets: Targets, namespace: string, requested: ProxiedName): Destination {
  const { objects, random } = targets;
  const service = objects.get('services', namespace, requested.name);
  const port = servicePortName(service, requested);
  const endpoints = objects.find('endpoints', namespace, requested.name);
  const found = asObjects(endpoints?.['subsets']).flatMap((subset) => {
    const number = asNumber(asObjects(subset['ports']).find((one) => asText(one['name']) === port)?.['port']);
    return number === 0 ? [] : asObjects(subset['addresses']).map((address) => ({ address, number }));
  });
  // Looked at from a random target on, until one is good: the objects of the others need not be read.
  const start = found.length === 0 ? 0 : random.int(found.length);
  for (let at = 0; at < found.length; at++) {
    const candidate = found[(start + at) % found.length];
    const host = asText(candidate?.address['ip']);
    if (candidate === undefined || !isAddressOfPod(objects, namespace, candidate.address, host)) continue;
    return workload(requested.scheme, host, candidate.number, `service ${JSON.stringify(requested.name)}`);
  }
  throw errors.serviceUnavailable(`no endpoints available for service ${JSON.stringify(requested.name)}`, 0);
}

/** Endpoints name their ports as the service does; a number stands for the service's own port. */
function servicePortName(service: ApiObject, { port, name }: ProxiedName): string {
  const number = portNumber(port);
  if (number === undefined) return port;
  const ports = asObjects(objectAt(service, 'spec')['ports']);
  const found = ports.find((one) => one['port'] === number);
  if (found === undefined) {
    throw errors.serviceUnavailable(`no service port ${number} found for service ${JSON.stringify(name)}`, 0);
  }
  return asText(found['name']);
}

function isAddressOfPod(
  objects: CoreObjects,
  namespace: string,
  address: Readonly<Record<string, unknown>>,
  host: string,
): boolean {
  const reference = objectAt(address, 'targetRef');
  if (reference['kind'] !== 'Pod' || asText(reference['namespace']) !== namespace) return false;
  const pod = objects.find('pods', namespace, asText(reference['name']));
  if (pod === undefined || !isAllowedAddress(host, 'workload')) return false;
  const { podIP, podIPs } = objectAt(pod, 'status');
  return podIP === host || asObjects(podIPs).some((one) => one['ip'] === host);
}

/** The node's agent, unless another port is requested for: that is an ordinary program which gets no credentials of ours. */
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
