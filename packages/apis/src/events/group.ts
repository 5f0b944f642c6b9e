import type { GroupDeclaration } from '../group-declaration.ts';

/** Versions of resources whose definitions are in other groups. */
export const eventsGroup: GroupDeclaration = {
  key: 'events',
  priority: 17_750,
  versionPriorities: { v1: 15, v1beta1: 5 },
  types: [],
};
