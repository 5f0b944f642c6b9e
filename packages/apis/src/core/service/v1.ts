import { f, items, struct } from '@orch/schema';
import { reachableAddressFormat } from '../../address-formats.ts';
import { Condition } from '../../meta/condition.ts';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { LoadBalancerStatus } from '../shared/load-balancer.ts';
import {
  deriveSessionAffinity,
  externalTrafficPolicy,
  internalTrafficPolicy,
  loadBalancerNodePorts,
  samePort,
} from './defaults.ts';

export const ServicePort = struct('core.v1.ServicePort', 'One port of a service.', {
  name: f.string(1, { doc: 'Name of the port; required when there are several.', format: 'dns1123label' }),
  protocol: f.string(2, { doc: 'TCP, UDP or SCTP.', default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'] }),
  appProtocol: f.string(6, {
    doc: 'Application protocol, such as `http`.',
    presence: 'pointer',
    since: '1.18',
    format: 'qualifiedName',
    emptyIsInvalid: true,
  }),
  port: f.int32(3, { doc: 'Port number of the service.', presence: 'always', format: 'portNumber' }),
  targetPort: f.intOrString(4, {
    doc: 'Number or name of the port of the pods; same as port when not given.',
    presence: 'always',
    default: samePort,
    openapiRequired: false,
  }),
  nodePort: f.int32(5, {
    doc: 'Port on every node that is forwarded to this port, for NodePort and LoadBalancer.',
  }),
});

export const ClientIPConfig = struct('core.v1.ClientIPConfig', 'Session affinity by client address.', {
  timeoutSeconds: f.int32(1, {
    doc: 'How long the connections of a client are sent to the same pod.',
    presence: 'pointer',
    min: 1,
    max: 86400,
  }),
});

export const SessionAffinityConfig = struct(
  'core.v1.SessionAffinityConfig',
  'Settings for each type of session affinity.',
  {
    clientIP: f.struct(1, ClientIPConfig, { doc: 'For affinity by client address.', presence: 'pointer' }),
  },
);

export const ServiceSpec = struct(
  'core.v1.ServiceSpec',
  'Pods of a service, and how it is exposed.',
  {
    ports: f.list(1, ServicePort, {
      doc: 'Ports of the service.',
      listType: 'map',
      mapKeys: ['port', 'protocol'],
      patchStrategy: 'merge',
      patchMergeKey: 'port',
    }),
    selector: f.map(2, items.string, {
      doc: 'Labels of the pods of the service. Without a selector, endpoints are managed externally.',
      mapType: 'atomic',
    }),
    clusterIP: f.string(3, {
      doc: 'Address of the service within the cluster; None for a headless service.',
    }),
    clusterIPs: f.list(18, items.string, {
      doc: 'Addresses of the service, at most one per family; the first is clusterIP.',
      listType: 'atomic',
      since: '1.20',
    }),
    type: f.string(4, {
      doc: 'ClusterIP, NodePort, LoadBalancer or ExternalName.',
      default: 'ClusterIP',
      enum: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'],
    }),
    externalIPs: f.list(5, items.string, {
      doc: 'Further addresses at which nodes accept traffic for the service.',
      ...reachableAddressFormat,
      emptyIsInvalid: true,
    }),
    sessionAffinity: f.string(7, {
      doc: 'ClientIP sends all connections of a client to the same pod; None does not.',
      default: 'None',
      enum: ['ClientIP', 'None'],
    }),
    loadBalancerIP: f.string(8, { doc: 'Address that the load balancer should have.' }),
    loadBalancerSourceRanges: f.list(9, items.string, {
      doc: 'Client addresses that the load balancer accepts.',
    }),
    externalName: f.string(10, { doc: 'Name that the service is an alias of, for ExternalName.' }),
    externalTrafficPolicy: f.string(11, {
      doc: 'Local keeps traffic from outside on the node where it arrives.',
      default: externalTrafficPolicy,
      openapiEnum: { values: ['Cluster', 'Local'] },
    }),
    healthCheckNodePort: f.int32(12, {
      doc: 'Port at which nodes report whether they have pods of the service.',
    }),
    publishNotReadyAddresses: f.bool(13, { doc: 'Publishes pods that are not ready too.' }),
    sessionAffinityConfig: f.struct(14, SessionAffinityConfig, {
      doc: 'Details of session affinity.',
      presence: 'pointer',
    }),
    topologyKeys: f.list(16, items.string, {
      doc: 'Labels of nodes by which endpoints are preferred, in their order.',
      since: '1.22',
      until: '1.22',
      gate: 'ServiceTopology',
    }),
    ipFamilies: f.list(19, items.string, {
      doc: 'Address families of the service, the main one first.',
      listType: 'atomic',
      since: '1.21',
      gate: 'IPv6DualStack',
      gatedSince: '1.20',
      openapiEnum: { since: '1.30', values: ['', 'IPv4', 'IPv6'] },
    }),
    ipFamilyPolicy: f.string(17, {
      doc: 'SingleStack, PreferDualStack or RequireDualStack.',
      presence: 'pointer',
      since: '1.21',
      gate: 'IPv6DualStack',
      gatedSince: '1.20',
      enum: ['PreferDualStack', 'RequireDualStack', 'SingleStack'],
      openapiEnum: { since: '1.27' },
    }),
    allocateLoadBalancerNodePorts: f.bool(20, {
      doc: 'Whether a load balancer needs node ports.',
      presence: 'pointer',
      default: loadBalancerNodePorts,
      since: '1.22',
      gate: 'ServiceLBNodePortControl',
    }),
    loadBalancerClass: f.string(21, {
      doc: 'Implementation that provides the load balancer.',
      presence: 'pointer',
      since: '1.22',
      gate: 'ServiceLoadBalancerClass',
      format: 'qualifiedName',
      emptyIsInvalid: true,
      validatedIf: ({ type }) => type === 'LoadBalancer',
    }),
    internalTrafficPolicy: f.string(22, {
      doc: 'Local keeps traffic from inside on the node where it starts.',
      presence: 'pointer',
      default: internalTrafficPolicy,
      since: '1.22',
      gate: 'ServiceInternalTrafficPolicy',
      enum: ['Cluster', 'Local'],
      emptyIsInvalid: true,
      openapiEnum: { since: '1.27' },
    }),

    trafficDistribution: f.string(23, {
      doc: 'Preferred endpoints: PreferClose, PreferSameZone or PreferSameNode.',
      presence: 'pointer',
      enum: ['PreferClose', 'PreferSameZone', 'PreferSameNode'],
      emptyIsInvalid: true,
      openapiEnum: 'never',
      since: '1.31',
      gate: 'ServiceTrafficDistribution',
    }),
  },
  { derive: deriveSessionAffinity },
);

export const ServiceStatus = struct('core.v1.ServiceStatus', 'Observed state of a service.', {
  loadBalancer: f.struct(1, LoadBalancerStatus, { doc: 'State of its load balancer.', presence: 'always' }),
  conditions: f.list(2, Condition, {
    // Other servers of this API do not validate them.
    validatedSince: 'never',
    doc: 'Observations about the object, one entry per type.',
    listType: 'map',
    mapKeys: ['type'],
    patchStrategy: 'merge',
    patchMergeKey: 'type',
    since: '1.24',
    gate: 'MixedProtocolLBService',
  }),
});

export const Service = struct(
  'core.v1.Service',
  'A stable name and address for a set of pods.',
  {
    metadata: metadataField,
    spec: specField(ServiceSpec),
    status: statusField(ServiceStatus),
  },
  { typeMeta: true },
);
