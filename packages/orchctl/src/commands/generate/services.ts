import type { ApiObject } from '@orch/machinery';
import { dns1123subdomain } from '@orch/machinery/formats';
import { listFlag, textFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { generator, newMetadata, section } from './generator.ts';

const MAX_PORT = 65_535;

const tcpFlag = {
  tcp: listFlag({ name: 'tcp', help: 'A port: PORT or PORT:TARGET; may be repeated.', section }),
} as const;

interface ServiceContent {
  readonly name: string;
  readonly type: string;
  readonly tcp: readonly string[];
  readonly nodePort?: number;
  readonly fields?: Readonly<Record<string, string>>;
}

function serviceOf({ name, type, tcp, nodePort = 0, fields = {} }: ServiceContent): ApiObject {
  const ports = tcp.map((text) => ({ ...portOf(text), ...(nodePort > 0 && { nodePort }) }));
  const labels = { app: name };
  return {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { ...newMetadata(name), labels } },
    spec: { ...fields, ...(ports.length > 0 && { ports }), selector: labels, type },
    status: { loadBalancer: {} },
  };
}

/** A port of `80`, `80:8080` or `80:http`. */
function portOf(text: string) {
  const [first = '', second] = text.split(':');
  const port = numberOf(first);
  if (port === undefined) throw new UsageError(`${JSON.stringify(first)} is not a valid port number`);
  const targetPort = second === undefined ? port : (numberOf(second) ?? second);
  if (typeof targetPort === 'string' && !/^(?=.*[a-z])[a-z0-9](?:-?[a-z0-9]){0,14}$/.test(targetPort))
    throw new UsageError(`${JSON.stringify(targetPort)} is not a valid port name`);
  return { name: text.replaceAll(':', '-'), port, protocol: 'TCP', targetPort };
}

function numberOf(text: string): number | undefined {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= MAX_PORT ? value : undefined;
}

function requirePorts(tcp: readonly string[]): void {
  if (tcp.length === 0) throw new UsageError('at least one tcp port specifier must be provided');
}

export const clusterIpService = generator({
  usage: 'service clusterip NAME [--tcp=PORT[:TARGET]] [--clusterip=IP] [flags]',
  about: 'Creates a service with an address in the cluster, or without one (--clusterip=None).',
  examples: [
    { comment: 'A service', line: 'orchctl create service clusterip web --tcp=80:8080' },
    { comment: 'A headless one', line: 'orchctl create service clusterip db --clusterip=None' },
  ],
  flags: {
    ...tcpFlag,
    clusterIp: textFlag({ name: 'clusterip', help: 'The address; None for a headless service.', section }),
  },
  isNamespaced: true,
  build({ name, flags: { tcp, clusterIp } }) {
    if (clusterIp !== 'None') requirePorts(tcp);
    return serviceOf({
      name,
      type: 'ClusterIP',
      tcp,
      ...(clusterIp !== '' && { fields: { clusterIP: clusterIp } }),
    });
  },
});

export const nodePortService = generator({
  usage: 'service nodeport NAME --tcp=PORT[:TARGET] [--node-port=PORT] [flags]',
  about: 'Creates a service with a port on each node.',
  examples: [{ comment: 'A service', line: 'orchctl create service nodeport web --tcp=80:8080' }],
  flags: {
    ...tcpFlag,
    nodePort: wholeFlag({ name: 'node-port', help: 'The port of the nodes.', section }, 0, {
      least: 0,
      most: MAX_PORT,
    }),
  },
  isNamespaced: true,
  build({ name, flags: { tcp, nodePort } }) {
    requirePorts(tcp);
    return serviceOf({ name, type: 'NodePort', tcp, nodePort });
  },
});

export const loadBalancerService = generator({
  usage: 'service loadbalancer NAME --tcp=PORT[:TARGET] [flags]',
  about: 'Creates a service with a load balancer.',
  examples: [{ comment: 'A service', line: 'orchctl create service loadbalancer web --tcp=80:8080' }],
  flags: tcpFlag,
  isNamespaced: true,
  build({ name, flags: { tcp } }) {
    requirePorts(tcp);
    return serviceOf({ name, type: 'LoadBalancer', tcp });
  },
});

export const externalNameService = generator({
  usage: 'service externalname NAME --external-name=HOST [--tcp=PORT[:TARGET]] [flags]',
  about: 'Creates a service that is an alias of a host outside of the cluster.',
  examples: [
    {
      comment: 'An alias',
      line: 'orchctl create service externalname db --external-name=db.example.com',
    },
  ],
  flags: {
    ...tcpFlag,
    externalName: textFlag({ name: 'external-name', help: 'The host.', section }),
  },
  isNamespaced: true,
  build({ name, flags: { tcp, externalName } }) {
    if (dns1123subdomain(externalName) !== undefined)
      throw new UsageError(`invalid service external name ${externalName}`);
    return serviceOf({ name, type: 'ExternalName', tcp, fields: { externalName } });
  },
});
