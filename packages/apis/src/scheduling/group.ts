import type { GroupDeclaration } from '../group-declaration.ts';
import { compositePodGroups } from './composite-pod-group/index.ts';
import { podGroups } from './pod-group/index.ts';
import { priorityClasses } from './priority-class/index.ts';
import { workloads } from './workload/index.ts';

export const schedulingGroup: GroupDeclaration = {
  key: 'scheduling',
  priority: 16_600,
  versionPriorities: { v1: 15, v1beta1: 12, v1alpha3: 3, v1alpha2: 2, v1alpha1: 9 },
  returnedVersions: { v1beta1: { since: '1.37', priority: 9 } },
  types: [compositePodGroups, podGroups, priorityClasses, workloads],
};
