import { defineResource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { endpointsStrategy } from './strategy.ts';
import { endpointsTable } from './table.ts';
import { Endpoints } from './v1.ts';

export const endpoints: ResourceType = defineResource({
  group: '',
  resource: 'endpoints',
  kind: 'Endpoints',
  namespaced: true,
  shortNames: ['ep'],
  versions: [{ version: 'v1', schema: Endpoints }],
  table: endpointsTable,
  strategy: endpointsStrategy,
});
