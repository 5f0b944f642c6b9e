import type { ApiObject } from '@orch/machinery';
import { choiceFlag, type FlagValues, listFlag, textFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags } from '../../cli/flag-sets.ts';
import { CommandError } from '../../command-error.ts';
import { readTargets } from '../../resources/targets.ts';
import { commonFlags, createObject, newMetadata, section } from '../generate/generator.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';
import { type ExposedPort, exposedObject } from './exposed-object.ts';
import { labelMap } from './label-map.ts';
import { overridden, overrideFlags } from './overrides.ts';

const MAX_NAME = 63;

const flags = {
  ...fileFlags,
  ...commonFlags,
  ...overrideFlags,
  clusterIp: textFlag({ name: 'cluster-ip', help: 'The address; None for a headless service.', section }),
  externalIp: textFlag({ name: 'external-ip', help: 'A further address that the service has.', section }),
  labels: textFlag({ name: 'labels', short: 'l', help: 'Labels of the service, a=b,c=d.', section }),
  loadBalancerIp: textFlag({ name: 'load-balancer-ip', help: 'The address of a load balancer.', section }),
  name: textFlag({ name: 'name', help: 'The name; that of the object when absent.', section }),
  port: listFlag({ name: 'port', help: 'The ports; those of the object when absent.', section }),
  protocol: textFlag({ name: 'protocol', help: 'The protocol of the ports.', section }),
  selector: textFlag({
    name: 'selector',
    help: 'The selector, a=b,c=d, instead of that of the object.',
    section,
  }),
  sessionAffinity: choiceFlag(
    { name: 'session-affinity', help: 'ClientIP keeps clients at the same pod.', section },
    ['', 'None', 'ClientIP'],
    '',
  ),
  targetPort: textFlag({ name: 'target-port', help: 'The number or name of the port of pods.', section }),
  type: choiceFlag(
    { name: 'type', help: 'The type of the service.', section },
    ['', 'ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'],
    '',
  ),
} as const;

type ExposeFlags = FlagValues<typeof flags>;

export const expose = command({
  usage: 'expose (TYPE NAME | TYPE/NAME | -f FILE) [--port=PORT] [--target-port=PORT] [--name=NAME] [flags]',
  about:
    'Creates a service for the pods of a service, pod, deployment, replica set or replication controller, with its selector, its labels and its ports.',
  examples: [
    { comment: 'A deployment', line: 'orchctl expose deployment web --port=80 --target-port=8080' },
    {
      comment: 'On a port of each node',
      line: 'orchctl expose deployment web --port=80 --type=NodePort --name=web-nodes',
    },
  ],
  flags,
  async run(invocation) {
    const { flags: given, words, io, signal, globals } = invocation;
    const report = new WriteReport(io, given);
    const session = await invocation.session();
    const targets = await readTargets({
      flags: { filename: given.filename, recursive: given.recursive },
      words,
      io,
      session,
      signal,
    });
    const status = await forEachTarget(targets, io, async ({ resource, namespace, name }) => {
      const object = await session.client.resource(resource, namespace).get(name, {}, signal);
      const service = serviceFor(resource.kind, object, given);
      if (globals.namespace !== '') service.metadata.namespace = globals.namespace;
      await createObject(invocation, overridden(service, given), { report, action: 'exposed' });
    });
    report.end();
    return status;
  },
});

function serviceFor(kind: string, object: ApiObject, given: ExposeFlags): ApiObject {
  const { selector, ports } = exposedObject(kind, object);
  const labels = given.labels === '' ? object.metadata.labels : labelMap(given.labels, '--labels');
  const name = (given.name || (object.metadata.name ?? '')).slice(0, MAX_NAME);
  return {
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: { ...newMetadata(name), ...(labels !== undefined && { labels }) },
    spec: {
      ports: servicePorts(ports, given),
      selector: given.selector === '' ? selector : labelMap(given.selector, '--selector'),
      ...(given.type !== '' && { type: given.type }),
      ...(given.clusterIp !== '' && { clusterIP: given.clusterIp }),
      ...(given.externalIp !== '' && { externalIPs: [given.externalIp] }),
      ...(given.sessionAffinity !== '' && { sessionAffinity: given.sessionAffinity }),
      ...(given.type === 'LoadBalancer' &&
        given.loadBalancerIp !== '' && { loadBalancerIP: given.loadBalancerIp }),
    },
    status: { loadBalancer: {} },
  } as ApiObject;
}

/** The ports of the flags, or those of the object. */
function servicePorts(own: readonly ExposedPort[], given: ExposeFlags) {
  const chosen = given.port.length === 0 ? own.map(({ port }) => port) : given.port.map(portNumber);
  if (chosen.length === 0) throw new CommandError("couldn't find port via --port flag or introspection");
  const protocolOf = (port: number): string =>
    given.protocol || (own.find((one) => one.port === port)?.protocol ?? 'TCP');
  const { targetPort } = given;
  const target = /^\d+$/.test(targetPort) ? Number(targetPort) : targetPort;
  return chosen.map((port, i) => ({
    ...(chosen.length > 1 && { name: `port-${i + 1}` }),
    ...{ port, protocol: protocolOf(port), targetPort: target === '' ? port : target },
  }));
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new UsageError(`invalid value ${JSON.stringify(text)} for --port`);
  return port;
}
