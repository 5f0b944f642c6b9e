import type * as storage from '@orch/kinds/storage';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { storageClassWarnings } from '../shared/warnings.ts';
import { storageClassTable } from './table.ts';
import { StorageClass } from './v1.ts';

export const storageClasses: ResourceType = defineResource({
  group: 'storage',
  resource: 'storageclasses',
  kind: 'StorageClass',
  namespaced: false,
  shortNames: ['sc'],
  versions: [
    { version: 'v1', schema: StorageClass, introduced: '1.6' },
    { version: 'v1beta1', schema: StorageClass, introduced: '1.4', deprecated: '1.19', removed: '1.22' },
  ],
  table: storageClassTable,
  strategy: strategyOf<storage.StorageClass>({ deleteReturns: 'object', warnings: storageClassWarnings }),
});
