import type { GroupDeclaration } from '../group-declaration.ts';
import { flowSchemas } from './flow-schema/index.ts';
import { priorityLevelConfigurations } from './priority-level-configuration/index.ts';

export const flowcontrolGroup: GroupDeclaration = {
  key: 'flowcontrol',
  priority: 16_100,
  versionPriorities: { v1alpha1: 9, v1beta1: 12, v1beta2: 15, v1beta3: 18, v1: 21 },
  types: [flowSchemas, priorityLevelConfigurations],
};
