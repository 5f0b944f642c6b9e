import { struct } from '@orch/schema';
import { endpointFields, nodeNameField } from './endpoint.ts';
import { endpointSliceOf } from './v1.ts';
import { topologyField } from './v1beta1.ts';

export const Endpoint = struct(
  'discovery.v1alpha1.Endpoint',
  'An endpoint of a service, with its addresses.',
  {
    ...endpointFields,
    topology: topologyField,
    nodeName: nodeNameField,
  },
);

export const EndpointSlice = endpointSliceOf('v1alpha1', Endpoint);
