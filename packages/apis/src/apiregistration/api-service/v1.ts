import { f, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';

export const ServiceReference = struct(
  'apiregistration.v1.ServiceReference',
  'References a port of the service of an API server.',
  {
    namespace: f.string(1, { doc: 'Namespace of the service.' }),
    name: f.string(2, { doc: 'Name of the service.' }),
    port: f.int32(3, {
      doc: 'Port of the service.',
      presence: 'pointer',
      default: 443,
      format: 'portNumber',
    }),
  },
);

export const APIServiceSpec = struct(
  'apiregistration.v1.APIServiceSpec',
  'The group version that is served, its server, and its priority.',
  {
    service: f.struct(1, ServiceReference, {
      doc: 'Service that serves the group version; absent when this server serves it.',
      presence: 'pointer',
    }),
    group: f.string(2, { doc: 'Group that is served.' }),
    version: f.string(3, { doc: 'Version that is served.' }),
    insecureSkipTLSVerify: f.bool(4, {
      doc: 'Does not verify the certificate of the other server: an attacker on the network can impersonate it. Use caBundle instead.',
    }),
    caBundle: f.bytes(5, {
      doc: 'Certificates in PEM that verify the certificate of the other server; those of the system when absent.',
      atomic: true,
    }),
    groupPriorityMinimum: f.int32(7, {
      doc: 'Priority of the group among all groups, 1 to 20000: groups of a higher one come first. The highest of its versions counts.',
      presence: 'always',
      min: 1,
      max: 20_000,
    }),
    versionPriority: f.int32(8, {
      doc: 'Priority of the version within its group, 1 to 1000: versions of a higher one come first.',
      presence: 'always',
      min: 1,
      max: 1000,
    }),
  },
);

export const APIServiceCondition = struct(
  'apiregistration.v1.APIServiceCondition',
  'One aspect of the state of an API service.',
  {
    type: f.string(1, { doc: 'Type of the condition: Available.', presence: 'always' }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
    lastTransitionTime: f.time(3, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(4, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(5, { doc: 'Human-readable details.' }),
  },
);

export const APIServiceStatus = struct(
  'apiregistration.v1.APIServiceStatus',
  'Whether a group version can be reached.',
  {
    conditions: f.list(1, APIServiceCondition, {
      doc: 'Observations about the object, one entry per type.',
      listType: 'map',
      mapKeys: ['type'],
      patchStrategy: 'merge',
      patchMergeKey: 'type',
    }),
  },
);

export const APIService = struct(
  'apiregistration.v1.APIService',
  'A group version of the API, and the server that serves it. Its name is `version.group`.',
  {
    metadata: metadataField,
    spec: specField(APIServiceSpec),
    status: statusField(APIServiceStatus),
  },
  { typeMeta: true },
);
