import { type kinds, typed } from '@orch/client';
import { command } from '../../cli/command.ts';

export const clusterInfo = command({
  usage: 'cluster-info [flags]',
  about: 'Prints the address of the server and of services of the cluster.',
  examples: [{ comment: 'The cluster of the context', line: 'orchctl cluster-info' }],
  flags: {},
  async run({ io, signal, globals, ...invocation }) {
    const { client, names, settings } = await invocation.session();
    const namespace = globals.namespace === '' ? names.namespaces.system : globals.namespace;
    const labelSelector = `${names.labelPrefixes.domain}cluster-service=true`;
    const { items } = await typed(client, namespace).core.v1.services.list({ labelSelector }, signal);
    const server = settings.server.replace(/\/$/, '');
    const system = names.naming === 'kubernetes' ? 'Kubernetes' : 'Orch';
    io.out.write(`${system} control plane is running at ${server}\n`);
    for (const service of items) {
      const name = service.metadata.labels?.[`${names.labelPrefixes.domain}name`] ?? service.metadata.name;
      io.out.write(`${name} is running at ${addressOf(service, server)}\n`);
    }
    return 0;
  },
});

/** The address of a load balancer, or the path of a service in the proxy of the server. */
function addressOf({ metadata, spec, status }: kinds.core.Service, server: string): string {
  const ports = spec?.ports ?? [];
  const [ingress] = status?.loadBalancer?.ingress ?? [];
  const host = ingress?.ip ?? ingress?.hostname;
  if (host !== undefined) return ports.map(({ port }) => `http://${host}:${port}`).join(' ');
  const [first] = ports;
  const scheme = first?.port === 443 || first?.name === 'https' ? 'https:' : '';
  const port = first?.name !== undefined && first.name !== '' ? `:${first.name}` : '';
  const reference = `${scheme}${metadata.name}${port === '' && scheme !== '' ? ':' : port}`;
  return `${server}/api/v1/namespaces/${metadata.namespace}/services/${reference}/proxy`;
}
