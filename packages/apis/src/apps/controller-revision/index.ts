import { defineResource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { controllerRevisionStrategy } from './strategy.ts';
import { controllerRevisionTable } from './table.ts';
import { ControllerRevision } from './v1.ts';

export const controllerRevisions: ResourceType = defineResource({
  group: 'apps',
  resource: 'controllerrevisions',
  kind: 'ControllerRevision',
  namespaced: true,
  versions: [
    { version: 'v1', schema: ControllerRevision, introduced: '1.9' },
    { version: 'v1beta2', schema: ControllerRevision, introduced: '1.8', deprecated: '1.9', removed: '1.16' },
    { version: 'v1beta1', schema: ControllerRevision, introduced: '1.7', deprecated: '1.8', removed: '1.16' },
  ],
  table: controllerRevisionTable,
  strategy: controllerRevisionStrategy,
});
