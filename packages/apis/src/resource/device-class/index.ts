import type * as resource from '@orch/kinds/resource';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { ageCell, ageColumn, nameCell, nameColumn } from '../../table.ts';
import { earlierVersions } from '../shared/versions.ts';
import { DeviceClass } from './v1.ts';

export const deviceClasses: ResourceType = defineResource({
  group: 'resource',
  resource: 'deviceclasses',
  kind: 'DeviceClass',
  namespaced: false,
  versions: [
    { version: 'v1', schema: DeviceClass, introduced: '1.34' },
    ...earlierVersions({ v1beta2: DeviceClass, v1beta1: DeviceClass }),
  ],
  table: {
    columns: [nameColumn, ageColumn],
    cells: (object) => [nameCell(object), ageCell(object)],
  },
  strategy: strategyOf<resource.DeviceClass>({ generation: 'spec', deleteReturns: 'object' }),
});
