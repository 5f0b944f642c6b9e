import { f, items, struct } from '@orch/schema';
import { ObjectReference } from '../../core/shared/references.ts';

export const EndpointConditions = struct(
  'discovery.v1.EndpointConditions',
  'Whether an endpoint accepts traffic. Absent values are unknown.',
  {
    ready: f.bool(1, {
      doc: 'It accepts new traffic: it serves, and is not terminating.',
      presence: 'pointer',
    }),
    serving: f.bool(2, {
      doc: 'It accepts traffic, also while it is terminating.',
      presence: 'pointer',
      since: '1.22',
      gate: 'EndpointSliceTerminatingCondition',
    }),
    terminating: f.bool(3, {
      doc: 'It is terminating.',
      presence: 'pointer',
      since: '1.22',
      gate: 'EndpointSliceTerminatingCondition',
    }),
  },
);

export const ForZone = struct('discovery.v1.ForZone', 'A zone that should use an endpoint.', {
  name: f.string(1, { doc: 'Name of the zone.', presence: 'always', format: 'labelValue' }),
});

export const ForNode = struct('discovery.v1.ForNode', 'A node that should use an endpoint.', {
  name: f.string(1, {
    doc: 'Name of the node.',
    presence: 'always',
    format: 'dns1123subdomain',
    emptyIsInvalid: true,
  }),
});

export const EndpointHints = struct('discovery.v1.EndpointHints', 'Who should use an endpoint.', {
  forZones: f.list(1, ForZone, {
    doc: 'Zones that should use it, to keep traffic local.',
    listType: 'atomic',
    maxItems: 8,
    uniqueBy: 'name',
    uniqueWithEmpty: true,
  }),

  forNodes: f.list(2, ForNode, {
    doc: 'Nodes that should use it.',
    listType: 'atomic',
    maxItems: 8,
    uniqueBy: 'name',
    uniqueWithEmpty: true,
    since: '1.34',
    gate: 'PreferSameTrafficDistribution',
  }),
});

export const EndpointPort = struct(
  'discovery.v1.EndpointPort',
  'A port of all endpoints of a slice.',
  {
    name: f.string(1, {
      doc: 'Name of the port, as in the service; no two of a slice have the same.',
      presence: 'pointer',
      default: '',
      format: 'dns1123label',
    }),
    protocol: f.string(2, {
      doc: 'TCP, UDP or SCTP.',
      presence: 'pointer',
      default: 'TCP',
      enum: ['SCTP', 'TCP', 'UDP'],
      emptyIsInvalid: true,
      openapiEnum: { since: '1.27' },
    }),
    port: f.int32(3, { doc: 'Port number; all ports when absent.', presence: 'pointer' }),
    appProtocol: f.string(4, {
      doc: 'Application protocol, such as `http`.',
      presence: 'pointer',
      since: '1.17',
      format: 'qualifiedName',
      emptyIsInvalid: true,
    }),
  },
  { mapType: 'atomic', mapTypeSince: '1.22' },
);

/** Fields of an endpoint that all versions have, in order. */
export const endpointFields = {
  addresses: f.list(1, items.string, {
    doc: 'Addresses of the one endpoint, of the type that the slice has. Consumers use the first.',
    presence: 'always',
    required: true,
    maxItems: 100,
    listType: 'set',
  }),
  conditions: f.struct(2, EndpointConditions, { doc: 'Whether it accepts traffic.', presence: 'always' }),
  hostname: f.string(3, {
    doc: 'Host name of the endpoint, for a separate name in DNS.',
    presence: 'pointer',
    format: 'dns1123label',
    emptyIsInvalid: true,
  }),
  targetRef: f.struct(4, ObjectReference, {
    doc: 'Object that the endpoint belongs to, usually a pod.',
    presence: 'pointer',
  }),
} as const;

export const nodeNameField = f.string(6, {
  doc: 'Node that hosts the endpoint.',
  presence: 'pointer',
  format: 'dns1123subdomain',
  emptyIsInvalid: true,
  since: '1.21',
  gate: 'EndpointSliceNodeName',
});

export const Endpoint = struct('discovery.v1.Endpoint', 'An endpoint of a service, with its addresses.', {
  ...endpointFields,
  deprecatedTopology: f.map(5, items.string, {
    doc: 'Topology labels of older versions other than node and zone. Cannot be written in this version.',
    deprecated: 'Use nodeName and zone.',
  }),
  nodeName: nodeNameField,
  zone: f.string(7, { doc: 'Zone of the endpoint.', presence: 'pointer' }),
  hints: f.struct(8, EndpointHints, {
    doc: 'Who should use the endpoint.',
    presence: 'pointer',
    since: '1.24',
    gate: 'TopologyAwareHints',
  }),
});
