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
  versions: [
    {
      ...{ version: 'v1', schema: Endpoints, deprecated: '1.33' },
      replacement: { group: 'discovery', version: 'v1', kind: 'EndpointSlice' },
    },
  ],
  table: endpointsTable,
  strategy: endpointsStrategy,
});
