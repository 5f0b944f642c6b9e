import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import { endpointsText, slicesOf } from '../../endpoint-slices.ts';
import type { Description } from '../../text/description.ts';
import { describeMetadata } from '../../text/metadata.ts';
import { mapText, orNone, orUnset } from '../../text/values.ts';

type Service = kinds.core.Service;

export const service = describer<Service>({
  group: 'core',
  kind: 'Service',
  versions: ['v1'],
  async describe(out, object, context) {
    const slices = await slicesOf(object.metadata.name ?? '', context).catch(() => []);
    describeMetadata(out, { metadata: object.metadata, names: context.names });
    describeAddresses(out, object);
    for (const port of object.spec?.ports ?? []) {
      const { name = '', protocol = '', nodePort = 0 } = port;
      out.line(0, 'Port:', orUnset(name), `${port.port}/${protocol}`);
      out.field(0, 'TargetPort', `${port.targetPort ?? 0}/${protocol}`);
      if (nodePort !== 0) out.line(0, 'NodePort:', orUnset(name), `${nodePort}/${protocol}`);
      out.field(0, 'Endpoints', endpointsText(slices, name));
    }
    describeTraffic(out, object);
  },
});

function describeAddresses(out: Description, { spec = {}, status }: Service): void {
  out.fields(0, { Selector: mapText(spec.selector), Type: spec.type ?? '' });
  if (spec.ipFamilyPolicy !== undefined) out.field(0, 'IP Family Policy', spec.ipFamilyPolicy);
  out.field(0, 'IP Families', orNone(spec.ipFamilies?.join(',')));
  out.field(0, 'IP', spec.clusterIP ?? '');
  out.field(0, 'IPs', (spec.clusterIPs ?? []).length > 0 ? spec.clusterIPs?.join(',') : '<none>');
  if ((spec.externalIPs ?? []).length > 0) out.field(0, 'External IPs', spec.externalIPs?.join(','));
  if (spec.loadBalancerIP) out.field(0, 'Desired LoadBalancer IP', spec.loadBalancerIP);
  if (spec.externalName) out.field(0, 'External Name', spec.externalName);
  const ingress = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname = '' }) => ip || hostname);
  if (ingress.length > 0) out.field(0, 'LoadBalancer Ingress', ingress.join(', '));
}

function describeTraffic(out: Description, { spec = {} }: Service): void {
  out.field(0, 'Session Affinity', spec.sessionAffinity ?? '');
  if (spec.externalTrafficPolicy) out.field(0, 'External Traffic Policy', spec.externalTrafficPolicy);
  if (spec.internalTrafficPolicy !== undefined)
    out.field(0, 'Internal Traffic Policy', spec.internalTrafficPolicy);
  if (spec.healthCheckNodePort) out.field(0, 'HealthCheck NodePort', spec.healthCheckNodePort);
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length > 0) out.field(0, 'LoadBalancer Source Ranges', ranges.join(','));
}
