import type { GroupDeclaration } from '../group-declaration.ts';
import { apiServices } from './api-service/index.ts';

export const apiregistrationGroup: GroupDeclaration = {
  key: 'apiregistration',
  priority: 20_000,
  versionPriorities: {},
  types: [apiServices],
};
