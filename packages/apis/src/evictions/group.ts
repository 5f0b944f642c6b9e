import type { GroupDeclaration } from '../group-declaration.ts';
import { evictions } from './eviction/index.ts';
import { evictionRequests } from './eviction-request/index.ts';

export const evictionsGroup: GroupDeclaration = {
  key: 'lifecycle',
  priority: 15_700,
  versionPriorities: { v1alpha1: 1 },
  types: [evictionRequests, evictions],
};
