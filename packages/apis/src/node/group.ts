import type { GroupDeclaration } from '../group-declaration.ts';
import { runtimeClasses } from './runtime-class/index.ts';

export const nodeGroup: GroupDeclaration = {
  key: 'node',
  priority: 16_300,
  versionPriorities: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  prefersNewVersions: true,
  types: [runtimeClasses],
};
