import type { GroupDeclaration } from '../group-declaration.ts';
import { priorityClasses } from './priority-class/index.ts';

export const schedulingGroup: GroupDeclaration = {
  key: 'scheduling',
  priority: 16_600,
  versionPriorities: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  types: [priorityClasses],
};
