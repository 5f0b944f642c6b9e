import { struct } from '@orch/schema';
import { endpointMembers, nodeNameMember } from './endpoint.ts';
import { endpointSliceOf } from './v1.ts';
import { topologyMember } from './v1beta1.ts';

export const Endpoint = struct('discovery.v1alpha1.Endpoint', 'One that serves, with its addresses.', {
  ...endpointMembers,
  topology: topologyMember,
  nodeName: nodeNameMember,
});

export const EndpointSlice = endpointSliceOf('v1alpha1', Endpoint);
