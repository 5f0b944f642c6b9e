import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { priorityClassTable } from './table.ts';
import { PriorityClass } from './v1.ts';

export const priorityClasses: ResourceType = defineResource({
  group: 'scheduling',
  resource: 'priorityclasses',
  kind: 'PriorityClass',
  namespaced: false,
  shortNames: ['pc'],
  versions: [
    { version: 'v1', schema: PriorityClass, introduced: '1.14' },
    { version: 'v1beta1', schema: PriorityClass, introduced: '1.11', deprecated: '1.14', removed: '1.22' },
    { version: 'v1alpha1', schema: PriorityClass, introduced: '1.8', deprecated: '1.14', removed: '1.23' },
  ],
  table: priorityClassTable,
  strategy: strategyOf({ generation: 'fixed' }),
});

/** The resources of scheduling, in discovery order. */
export const schedulingTypes: readonly ResourceType[] = [priorityClasses];
