import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import type { Description } from '../../text/description.ts';
import { describeMetadata } from '../../text/metadata.ts';
import { orNone, orUnset, pairsOf } from '../../text/values.ts';

type Slice = kinds.discovery.EndpointSlice;
type Endpoint = kinds.discovery.Endpoint & { readonly topology?: Record<string, string> };

export const endpointSlice = describer<Slice>({
  group: 'discovery',
  kind: 'EndpointSlice',
  versions: ['v1', 'v1beta1'],
  describe(out, object, { names }) {
    describeMetadata(out, { metadata: object.metadata, names });
    out.field(0, 'AddressType', object.addressType);
    describePorts(out, object);
    const isBeta = object.apiVersion?.endsWith('/v1beta1') === true;
    const endpoints = object.endpoints ?? [];
    out.line(0, endpoints.length === 0 ? 'Endpoints: <none>' : 'Endpoints:');
    for (const endpoint of endpoints) {
      describeEndpoint(out, endpoint, isBeta ? ',' : ', ');
      if (isBeta) out.list('    Topology', pairsOf((endpoint as Endpoint).topology), '    ');
      else out.fields(2, { NodeName: orUnset(endpoint.nodeName), Zone: orUnset(endpoint.zone) });
    }
  },
});

function describePorts(out: Description, { ports }: Slice): void {
  if (ports === null || ports === undefined || ports.length === 0) {
    out.line(0, 'Ports: <unset>');
    return;
  }
  out.line(0, 'Ports:');
  out.line(1, 'Name', 'Port', 'Protocol');
  out.line(1, '----', '----', '--------');
  for (const { name, port, protocol = '' } of ports) out.line(1, orUnset(name), orUnset(port), protocol);
}

function describeEndpoint(out: Description, endpoint: Endpoint, separator: string): void {
  const { addresses, conditions, hostname, targetRef } = endpoint;
  out.field(1, '- Addresses', orNone(addresses.join(separator)));
  out.line(2, 'Conditions:');
  out.field(3, 'Ready', conditions?.ready ?? '<unset>');
  out.field(2, 'Hostname', hostname ?? '<unset>');
  if (targetRef !== undefined) out.field(2, 'TargetRef', `${targetRef.kind ?? ''}/${targetRef.name ?? ''}`);
}
