import { allVerbs, defineResource, proxySubresource, statusSubresource } from '../../define-resource.ts';
import { textField } from '../../field-reader.ts';
import type { ResourceType } from '../../resource-type.ts';
import { serviceStrategy } from './strategy.ts';
import { serviceTable } from './table.ts';
import { Service } from './v1.ts';

export { ServiceProxyOptions } from './options.ts';

export const services: ResourceType = defineResource({
  group: '',
  resource: 'services',
  kind: 'Service',
  namespaced: true,
  shortNames: ['svc'],
  categories: ['all'],
  versions: [{ version: 'v1', schema: Service }],
  nameFormat: 'dns1123label',
  // In these releases, a name had to begin with a letter.
  gatedNameFormat: {
    format: 'dns1123label',
    since: '1.36',
    gate: 'RelaxedServiceNameValidation',
    otherwise: 'dns1035label',
  },
  table: serviceTable,
  strategy: serviceStrategy,
  subresources: [proxySubresource('ServiceProxyOptions'), statusSubresource('Service')],
  fields: {
    'spec.clusterIP': textField('spec.clusterIP'),
    'spec.type': textField('spec.type'),
  },
  distinctFields: ['spec.clusterIP'],
  earlier: [
    { before: '1.36', change: { nameFormat: 'dns1035label' } },
    { before: '1.31', change: { fields: {}, distinctFields: [] } },
    {
      before: '1.23',
      change: {
        verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
        strategy: { ...serviceStrategy, deleteReturns: 'Status' },
      },
    },
  ],
});
