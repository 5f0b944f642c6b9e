import type * as core from '@orch/kinds/core';
import { fieldError } from '@orch/machinery';
import { type Check, f, struct } from '@orch/schema';
import { reachableAddressFormat } from '../../address-formats.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import { ObjectReference } from '../shared/references.ts';

/** Formats do not apply to absent text, and an absent address is an invalid one. */
const checkAddressIsGiven: Check<core.EndpointAddress> = ({ ip = '' }, { path }) =>
  ip === '' ? [fieldError.invalid(`${path}.ip`, ip, 'must be a valid IP address')] : [];

export const EndpointAddress = struct(
  'core.v1.EndpointAddress',
  'One address of an endpoint, and the object that has it.',
  {
    ip: f.string(1, {
      doc: 'IPv4 or IPv6 address; not a loopback or link-local one.',
      presence: 'always',
      ...reachableAddressFormat,
    }),
    hostname: f.string(3, { doc: 'Host name of the endpoint.', format: 'dns1123label' }),
    nodeName: f.string(4, {
      doc: 'Node that hosts the endpoint.',
      presence: 'pointer',
      format: 'dns1123subdomain',
      emptyIsInvalid: true,
    }),
    targetRef: f.struct(2, ObjectReference, {
      doc: 'Object that has the address, usually a pod.',
      presence: 'pointer',
    }),
  },
  { mapType: 'atomic', checks: [checkAddressIsGiven] },
);

export const EndpointPort = struct(
  'core.v1.EndpointPort',
  'One port that the addresses of a subset serve.',
  {
    name: f.string(1, {
      doc: 'Name of the port, as in the service; may be left out when there is only one.',
      format: 'dns1123label',
    }),
    port: f.int32(2, { doc: 'Port number.', presence: 'always', format: 'portNumber' }),
    protocol: f.string(3, { doc: 'TCP, UDP or SCTP.', default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'] }),
    appProtocol: f.string(4, {
      doc: 'Application protocol, such as `http`.',
      presence: 'pointer',
      since: '1.18',
      format: 'qualifiedName',
      emptyIsInvalid: true,
    }),
  },
  { mapType: 'atomic' },
);

export const EndpointSubset = struct(
  'core.v1.EndpointSubset',
  'Addresses that all serve the same ports: every combination of an address and a port is an endpoint.',
  {
    addresses: f.list(1, EndpointAddress, { doc: 'Addresses that are ready for traffic.' }),
    notReadyAddresses: f.list(2, EndpointAddress, {
      doc: 'Addresses that serve these ports but are not ready.',
    }),
    ports: f.list(3, EndpointPort, { doc: 'Ports of these addresses.' }),
  },
);

export const Endpoints = struct(
  'core.v1.Endpoints',
  'The addresses of the service of the same name.',
  {
    metadata: metadataField,
    subsets: f.list(2, EndpointSubset, { doc: 'Groups of addresses with the same ports.' }),
  },
  { typeMeta: true },
);
