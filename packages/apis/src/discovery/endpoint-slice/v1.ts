import { f, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { Endpoint, EndpointPort } from './endpoint.ts';

export const endpointSliceOf = (version: string, endpoint: StructSchema): StructSchema =>
  struct(
    `discovery.${version}.EndpointSlice`,
    'Some of the endpoints of a service, which a label names. A service may have several slices.',
    {
      metadata: metadataField,
      addressType: f.string(4, {
        doc: 'Type of the addresses: IPv4, IPv6 or FQDN, fully qualified names. Cannot change.',
        presence: 'always',
        required: true,
        immutable: true,
        enum: ['FQDN', 'IPv4', 'IPv6'],
      }),
      endpoints: f.list(2, endpoint, {
        doc: 'The endpoints, at most 1000.',
        presence: 'always',
        openapiRequired: { since: '1.36', is: false },
        maxItems: 1000,
        listType: 'atomic',
      }),
      ports: f.list(3, EndpointPort, {
        doc: 'Ports that every endpoint of the slice has, at most 100. Without any, no port is defined.',
        presence: 'always',
        openapiRequired: false,
        maxItems: 100,
        listType: 'atomic',
      }),
    },
    { typeMeta: true },
  );

export const EndpointSlice = endpointSliceOf('v1', Endpoint);
