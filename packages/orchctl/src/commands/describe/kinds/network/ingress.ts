import type { kinds } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { type DescribeContext, type Describer, describer } from '../../describer.ts';
import { endpointsText, slicesOf } from '../../endpoint-slices.ts';
import type { Description } from '../../text/description.ts';
import { describeAnnotations } from '../../text/metadata.ts';
import { orNone, pairsOf } from '../../text/values.ts';

type Ingress = kinds.networking.Ingress;
type Backend = kinds.networking.IngressBackend;

const definition: Describer<Ingress> = {
  group: 'networking',
  kind: 'Ingress',
  versions: ['v1'],
  async describe(out, object, context) {
    const { metadata, spec = {} } = object;
    out.field(0, 'Name', metadata.name ?? '');
    out.list('Labels', pairsOf(metadata.labels));
    const backend =
      spec.defaultBackend === undefined ? '<default>' : await backendText(spec.defaultBackend, context);
    out.fields(0, {
      Namespace: metadata.namespace,
      Address: addressText(object),
      'Ingress Class': orNone(spec.ingressClassName),
      'Default backend': backend,
    });
    describeTls(out, object);
    await describeRules(out, object, { context, defaultBackend: backend });
    describeAnnotations(out, { metadata, names: context.names });
  },
};

export const ingress = describer(definition);

/** The kind in the group that it was in before. */
export const extensionsIngress = describer({ ...definition, group: 'extensions', readGroup: 'networking' });

function addressText({ status }: Ingress): string {
  const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  return [...new Set(addresses.filter((address) => address !== ''))].toSorted().join(',');
}

function describeTls(out: Description, { spec = {} }: Ingress): void {
  const { tls = [] } = spec;
  if (tls.length > 0) out.line(0, 'TLS:');
  for (const { secretName, hosts = [] } of tls)
    out.line(1, `${secretName ? `${secretName} terminates` : 'SNI routes'} ${hosts.join(',')}`);
}

interface RuleContext {
  readonly context: DescribeContext;
  readonly defaultBackend: string;
}

async function describeRules(out: Description, { spec = {} }: Ingress, rules: RuleContext): Promise<void> {
  out.line(0, 'Rules:');
  out.line(1, 'Host', 'Path', 'Backends');
  out.line(1, '----', '----', '--------');
  const withPaths = (spec.rules ?? []).filter(({ http }) => http !== undefined);
  for (const { host, http } of withPaths) {
    out.line(1, host || '*', '');
    for (const { path = '', backend } of http?.paths ?? [])
      out.line(2, '', `${path} `, await backendText(backend, rules.context));
  }
  if (withPaths.length === 0) out.line(1, '*', '*', rules.defaultBackend);
}

async function backendText({ service, resource }: Backend, context: DescribeContext): Promise<string> {
  if (service !== undefined) {
    const { name, port = {} } = service;
    return `${name}:${port.number || (port.name ?? '')} (${await endpointsOf({ service }, context)})`;
  }
  if (resource === undefined) return '';
  return `APIGroup: ${orNone(resource.apiGroup ?? '')}, Kind: ${resource.kind}, Name: ${resource.name}`;
}

/** The addresses behind the service of a backend. */
async function endpointsOf({ service }: Backend, context: DescribeContext): Promise<string> {
  const { name = '', port = {} } = service ?? {};
  try {
    const slices = await slicesOf(name, context);
    const found = await context.typed.core.v1.services.get(name, {}, context.signal);
    const ports = found.spec?.ports ?? [];
    const matching = ports.findLast((one) =>
      port.number ? one.port === port.number : one.name === port.name,
    );
    return endpointsText(slices, matching?.name ?? '');
  } catch (error) {
    if (error instanceof ApiError) return `<error: ${error.status.message}>`;
    throw error;
  }
}
