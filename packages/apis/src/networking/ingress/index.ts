import type * as networking from '@orch/kinds/networking';
import { loadBalancerWarnings } from '../../core/shared/load-balancer-warnings.ts';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { ingressTable } from './table.ts';
import { Ingress } from './v1.ts';
import { ingressLens } from './v1beta1.lens.ts';
import { Ingress as IngressV1Beta1 } from './v1beta1.ts';
import { validateIngress, validateIngressStatus } from './validation/ingress.ts';
import { ingressWarnings } from './warnings.ts';

const ingressStrategy: Strategy<networking.Ingress> = strategyOf({
  generation: 'spec',
  resetStatus: true,
  prepareForCreate(next) {
    next.status = { loadBalancer: {} };
  },
  prepareForUpdate: keepStatus,
  validate: validateIngress,
  warnings: ingressWarnings,
  through: {
    status: {
      ...statusRules(validateIngressStatus),
      warnings: (next: networking.Ingress, _old, context) => loadBalancerWarnings(next, undefined, context),
    },
  },
});

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
