import { f, items, struct } from '@orch/schema';
import { LoadBalancerIngress, LoadBalancerStatus, PortStatus } from '../../core/shared/load-balancer.ts';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { IngressBackend } from './backend.ts';

export const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

export const HTTPIngressPath = struct(
  'networking.v1.HTTPIngressPath',
  'Backend of the requests for certain paths.',
  {
    path: f.string(1, { doc: 'Path, or prefix of paths, depending on the type.' }),
    pathType: f.string(3, {
      doc: 'How paths are compared: Exact; Prefix, by whole elements; or ImplementationSpecific, depending on the ingress controller.',
      presence: 'always',
      nullable: true,
      required: true,
      openapiRequired: true,
      enum: pathTypes,
      openapiEnum: { since: '1.27' },
    }),
    backend: f.struct(2, IngressBackend, {
      doc: 'Backend of the requests.',
      presence: 'always',
      openapiRequired: true,
      validatedIf: ({ pathType }) => pathType !== undefined && pathType !== null && pathType !== '',
    }),
  },
);

export const HTTPIngressRuleValue = struct('networking.v1.HTTPIngressRuleValue', 'Backends by path.', {
  paths: f.list(1, HTTPIngressPath, {
    doc: 'The paths. The longest one that matches is used.',
    presence: 'always',
    required: true,
    listType: 'atomic',
  }),
});

export const IngressRuleValue = struct('networking.v1.IngressRuleValue', 'Backends of a rule.', {
  http: f.struct(1, HTTPIngressRuleValue, {
    doc: 'Backends by path; the default backend when absent.',
    presence: 'pointer',
  }),
});

export const IngressRule = struct('networking.v1.IngressRule', 'Backends of the requests for a host.', {
  host: f.string(1, {
    doc: 'Name of the host; `*.` at its beginning stands for one label. All hosts when empty.',
  }),
  ingressRuleValue: f.inline(2, IngressRuleValue, { protoName: 'ingressRuleValue' }),
});

export const IngressTLS = struct('networking.v1.IngressTLS', 'A certificate, and the hosts it is for.', {
  hosts: f.list(1, items.string, { doc: 'Names in the certificate.', listType: 'atomic' }),
  secretName: f.string(2, { doc: 'Secret with certificate and key.' }),
});

export const IngressSpec = struct('networking.v1.IngressSpec', 'Backends of requests.', {
  ingressClassName: f.string(4, {
    doc: 'Class of the ingress: the controller that serves it.',
    presence: 'pointer',
    format: 'dns1123subdomain',
    emptyIsInvalid: true,
  }),
  defaultBackend: f.struct(1, IngressBackend, {
    doc: 'Backend of requests that match no rule; required when there are no rules.',
    presence: 'pointer',
  }),
  tls: f.list(2, IngressTLS, { doc: 'Certificates by host.', listType: 'atomic' }),
  rules: f.list(3, IngressRule, { doc: 'Backends by host.', listType: 'atomic' }),
});

export const IngressPortStatus = struct(
  'networking.v1.IngressPortStatus',
  'State of one port of a load balancer.',
  {
    port: f.int32(1, { doc: 'Port number.', presence: 'always' }),
    protocol: f.string(2, {
      doc: 'TCP, UDP or SCTP.',
      presence: 'always',
      openapiEnum: { values: ['SCTP', 'TCP', 'UDP'] },
    }),
    error: f.string(3, { doc: 'Why the port does not work.', presence: 'pointer' }),
  },
  { formerly: { before: '1.26', schema: PortStatus } },
);

export const IngressLoadBalancerIngress = struct(
  'networking.v1.IngressLoadBalancerIngress',
  'Where the load balancer of an ingress accepts traffic.',
  {
    ip: f.string(1, { doc: 'Its address.' }),
    hostname: f.string(2, { doc: 'Its name.' }),
    ports: f.list(4, IngressPortStatus, {
      doc: 'State of its ports.',
      listType: 'atomic',
      since: '1.24',
      gate: 'MixedProtocolLBService',
    }),
  },
  { formerly: { before: '1.26', schema: LoadBalancerIngress } },
);

export const IngressLoadBalancerStatus = struct(
  'networking.v1.IngressLoadBalancerStatus',
  'State of the load balancer of an ingress.',
  { ingress: f.list(1, IngressLoadBalancerIngress, { doc: 'Where it accepts traffic.' }) },
  { formerly: { before: '1.26', schema: LoadBalancerStatus } },
);

export const IngressStatus = struct('networking.v1.IngressStatus', 'Observed state of an ingress.', {
  loadBalancer: f.struct(1, IngressLoadBalancerStatus, {
    doc: 'Where its load balancer accepts traffic.',
    presence: 'always',
  }),
});

export const Ingress = struct(
  'networking.v1.Ingress',
  'Rules by which HTTP requests from outside reach services.',
  {
    metadata: metadataField,
    spec: specField(IngressSpec),
    status: statusField(IngressStatus),
  },
  { typeMeta: true },
);
