import { defineResource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { endpointSliceStrategy } from './strategy.ts';
import { endpointSliceTable } from './table.ts';
import { EndpointSlice } from './v1.ts';
import { EndpointSlice as EndpointSliceV1Alpha1 } from './v1alpha1.ts';
import { endpointSliceLens } from './v1beta1.lens.ts';
import { EndpointSlice as EndpointSliceV1Beta1 } from './v1beta1.ts';

export const endpointSlices: ResourceType = defineResource({
  group: 'discovery',
  resource: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
  versions: [
    { version: 'v1', schema: EndpointSlice, introduced: '1.21' },
    {
      version: 'v1beta1',
      schema: EndpointSliceV1Beta1,
      lens: endpointSliceLens(EndpointSliceV1Beta1),
      introduced: '1.17',
      deprecated: '1.21',
      removed: '1.25',
    },
    {
      version: 'v1alpha1',
      schema: EndpointSliceV1Alpha1,
      lens: endpointSliceLens(EndpointSliceV1Alpha1),
      introduced: '1.16',
      removed: '1.21',
    },
  ],
  table: endpointSliceTable,
  strategy: endpointSliceStrategy,
});
