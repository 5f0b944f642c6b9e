import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { ingressStrategy } from './strategy.ts';
import { ingressTable } from './table.ts';
import { Ingress } from './v1.ts';
import { ingressLens } from './v1beta1.lens.ts';
import { Ingress as IngressV1Beta1 } from './v1beta1.ts';

export const ingresses: ResourceType = defineResource({
  group: 'networking',
  resource: 'ingresses',
  kind: 'Ingress',
  namespaced: true,
  shortNames: ['ing'],
  versions: [
    { version: 'v1', schema: Ingress, introduced: '1.19' },
    {
      version: 'v1beta1',
      schema: IngressV1Beta1,
      lens: ingressLens,
      introduced: '1.14',
      deprecated: '1.19',
      removed: '1.22',
    },
    {
      group: 'extensions',
      version: 'v1beta1',
      schema: IngressV1Beta1,
      lens: ingressLens,
      introduced: '1.1',
      deprecated: '1.14',
      removed: '1.22',
    },
  ],
  table: ingressTable,
  strategy: ingressStrategy,
  subresources: [statusSubresource('Ingress', 'networking')],
});
