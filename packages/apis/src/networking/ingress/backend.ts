import { f, struct } from '@orch/schema';
import { TypedLocalObjectReference } from '../../core/shared/references.ts';

export const ServiceBackendPort = struct(
  'networking.v1.ServiceBackendPort',
  'A port of a service, by its name or by its number.',
  {
    name: f.string(1, { doc: 'Name of the port. Not together with number.' }),
    number: f.int32(2, { doc: 'Number of the port. Not together with name.' }),
  },
  { mapType: 'atomic', mapTypeSince: '1.31' },
);

export const IngressServiceBackend = struct(
  'networking.v1.IngressServiceBackend',
  'A service that receives requests.',
  {
    name: f.string(1, { doc: 'Name of the service, of the same namespace.', presence: 'always' }),
    port: f.struct(2, ServiceBackendPort, { doc: 'Port of the service.', presence: 'always' }),
  },
);

export const IngressBackend = struct(
  'networking.v1.IngressBackend',
  'Backend of requests: a service, or another object that can serve them.',
  {
    service: f.struct(4, IngressServiceBackend, {
      doc: 'A service. Not together with resource.',
      presence: 'pointer',
    }),
    resource: f.struct(3, TypedLocalObjectReference, {
      doc: 'An object of the same namespace, such as a bucket. Not together with service.',
      presence: 'pointer',
      validatedIf: ({ service }) => service === undefined,
    }),
  },
);
