import { f, items, struct } from '@orch/schema';
import { EndpointHints, endpointFields, nodeNameField } from './endpoint.ts';
import { endpointSliceOf } from './v1.ts';

/** The location of an endpoint, in the versions before v1. */
export const topologyField = f.map(5, items.string, {
  doc: 'Topology labels of the endpoint, such as node and zone; at most 16.',
});

export const Endpoint = struct(
  'discovery.v1beta1.Endpoint',
  'An endpoint of a service, with its addresses.',
  {
    ...endpointFields,
    topology: topologyField,
    nodeName: nodeNameField,
    hints: f.struct(7, EndpointHints, {
      doc: 'Who should use the endpoint.',
      presence: 'pointer',
      since: '1.24',
      gate: 'TopologyAwareHints',
    }),
  },
);

export const EndpointSlice = endpointSliceOf('v1beta1', Endpoint);
