import { struct } from '@orch/schema';
import { endpointMembers, nodeNameMember } from '../v1/endpoint.ts';
import { endpointSliceOf } from '../v1/endpoint-slice.ts';
import { topologyMember } from '../v1beta1/endpoint-slice.ts';

export const Endpoint = struct('discovery.v1alpha1.Endpoint', 'One that serves, with its addresses.', {
  ...endpointMembers,
  topology: topologyMember,
  nodeName: nodeNameMember,
});

export const EndpointSlice = endpointSliceOf('v1alpha1', Endpoint);
