import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const ServiceReference = struct(
  'apiregistration.v1.ServiceReference',
  'Names a port of the service behind which an API server is.',
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
  'Which group version is served, by whom, and where it stands among others.',
  {
    service: f.struct(1, ServiceReference, {
      doc: 'Service behind which the group version is served; absent when this server serves it.',
      presence: 'pointer',
    }),
    group: f.string(2, { doc: 'Group that is served.' }),
    version: f.string(3, { doc: 'Version that is served.', format: 'dns1035label' }),
    insecureSkipTLSVerify: f.bool(4, {
      doc: 'Does not check the certificate of the other server: anybody on the way can answer in its place. Use caBundle instead.',
    }),
    caBundle: f.bytes(5, {
      doc: 'Certificates in PEM that the certificate of the other server is checked with; those of the system when absent.',
      atomic: true,
    }),
    groupPriorityMinimum: f.int32(7, {
      doc: 'Where the group stands among all groups, 1 to 20000: the higher, the earlier. The highest of its versions counts.',
      presence: 'always',
      min: 1,
      max: 20_000,
    }),
    versionPriority: f.int32(8, {
      doc: 'Where the version stands within its group, 1 to 1000: the higher, the earlier.',
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
    type: f.string(1, { doc: 'Which aspect: Available.', presence: 'always' }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
    lastTransitionTime: f.time(3, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(4, { doc: 'One CamelCase word for programs: why it is so.' }),
    message: f.string(5, { doc: 'Details for people.' }),
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
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, APIServiceSpec, { doc: 'What its owner wants.', presence: 'always' }),
    status: f.struct(3, APIServiceStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);
