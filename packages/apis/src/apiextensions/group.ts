import type { GroupDeclaration } from '../group-declaration.ts';
import { customResourceDefinitions } from './custom-resource-definition/index.ts';

export const apiextensionsGroup: GroupDeclaration = {
  key: 'apiextensions',
  priority: 16_700,
  versionPriorities: { v1: 15, v1beta1: 9 },
  types: [customResourceDefinitions],
};
