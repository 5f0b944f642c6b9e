import { f, items, struct } from '@orch/schema';
import { metadataField, specField } from '../../meta/standard-fields.ts';
import { checkClientConfig, checkServicePath } from './validation.ts';

export const ServiceReference = struct(
  'auditregistration.v1alpha1.ServiceReference',
  'A service of the cluster that receives requests.',
  {
    namespace: f.string(1, { doc: 'Namespace of the service.', presence: 'always', required: true }),
    name: f.string(2, { doc: 'Name of the service.', presence: 'always', required: true }),
    path: f.string(3, { doc: 'URL path of the requests.', presence: 'pointer' }),
    port: f.int32(4, {
      doc: 'Port of the service.',
      presence: 'pointer',
      default: 443,
      format: 'portNumber',
    }),
  },
  { checks: [checkServicePath] },
);

export const WebhookClientConfig = struct(
  'auditregistration.v1alpha1.WebhookClientConfig',
  'How to reach a webhook: by URL or by service.',
  {
    url: f.string(1, { doc: 'Its URL, `scheme://host:port/path`.', presence: 'pointer' }),
    service: f.struct(2, ServiceReference, { doc: 'Its service in the cluster.', presence: 'pointer' }),
    caBundle: f.bytes(3, {
      doc: 'Certificates in PEM that verify the certificate of the webhook; those of the system when absent.',
    }),
  },
  { checks: [checkClientConfig] },
);

const WebhookThrottleConfig = struct(
  'auditregistration.v1alpha1.WebhookThrottleConfig',
  'Limit of the requests to a webhook.',
  {
    qps: f.int64(1, {
      doc: 'Maximum number of requests per second.',
      presence: 'pointer',
      default: 10,
      min: 1,
    }),
    burst: f.int64(2, {
      doc: 'Maximum number of requests at one instant.',
      presence: 'pointer',
      default: 15,
      min: 1,
    }),
  },
);

export const Webhook = struct('auditregistration.v1alpha1.Webhook', 'Where events are sent.', {
  throttle: f.struct(1, WebhookThrottleConfig, {
    doc: 'Limit of the requests to the webhook.',
    presence: 'pointer',
    default: {},
  }),
  clientConfig: f.struct(2, WebhookClientConfig, {
    doc: 'How to reach it.',
    presence: 'always',
    openapiRequired: true,
  }),
});

export const Policy = struct(
  'auditregistration.v1alpha1.Policy',
  'The recorded parts of a request, and the stages at which they are recorded.',
  {
    level: f.string(1, {
      doc: 'How much: None, Metadata, Request or RequestResponse.',
      presence: 'always',
      required: true,
      enum: ['None', 'Metadata', 'Request', 'RequestResponse'],
    }),
    stages: f.list(2, items.string, {
      doc: 'When: RequestReceived, ResponseStarted, ResponseComplete or Panic.',
      presence: 'always',
      openapiRequired: false,
      enum: ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'],
    }),
  },
);

const AuditSinkSpec = struct(
  'auditregistration.v1alpha1.AuditSinkSpec',
  'Policy and webhook of an audit sink.',
  {
    policy: f.struct(1, Policy, {
      doc: 'The policy of recording.',
      presence: 'always',
      openapiRequired: true,
    }),
    webhook: f.struct(2, Webhook, {
      doc: 'Where it is sent.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const AuditSink = struct(
  'auditregistration.v1alpha1.AuditSink',
  'A webhook that receives the audit events of the server.',
  {
    metadata: metadataField,
    spec: specField(AuditSinkSpec),
  },
  { typeMeta: true },
);
