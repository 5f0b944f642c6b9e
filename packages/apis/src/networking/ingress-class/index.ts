import type * as networking from '@orch/kinds/networking';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { ingressClassTable } from './table.ts';
import { IngressClass } from './v1.ts';

export const ingressClasses: ResourceType = defineResource({
  group: 'networking',
  resource: 'ingressclasses',
  kind: 'IngressClass',
  namespaced: false,
  versions: [
    { version: 'v1', schema: IngressClass, introduced: '1.19' },
    {
      version: 'v1beta1',
      schema: IngressClass,
      introduced: '1.18',
      deprecated: '1.19',
      removed: '1.22',
    },
  ],
  table: ingressClassTable,
  strategy: strategyOf<networking.IngressClass>({ generation: 'spec' }),
});
