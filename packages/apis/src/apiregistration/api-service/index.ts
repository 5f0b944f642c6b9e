import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { apiServiceStrategy } from './strategy.ts';
import { apiServiceTable } from './table.ts';
import { APIService } from './v1.ts';

export const apiServices: ResourceType = defineResource({
  group: 'apiregistration',
  resource: 'apiservices',
  kind: 'APIService',
  namespaced: false,
  categories: ['api-extensions'],
  nameFormat: 'pathSegment',
  unqualifiedFinalizers: true,
  versions: [
    { version: 'v1', schema: APIService, introduced: '1.10' },
    { version: 'v1beta1', schema: APIService, introduced: '1.7', deprecated: '1.19', removed: '1.22' },
  ],
  table: apiServiceTable,
  strategy: apiServiceStrategy,
  subresources: [statusSubresource('APIService', 'apiregistration')],
});
