import type { GroupDeclaration } from '../group-declaration.ts';
import { podPresets } from './pod-preset/index.ts';

export const settingsGroup: GroupDeclaration = {
  key: 'settings',
  priority: 16_900,
  versionPriorities: { v1alpha1: 9 },
  types: [podPresets],
};
