import type { GroupDeclaration } from '../group-declaration.ts';

/** Versions of resources whose definitions are in other groups. */
export const extensionsGroup: GroupDeclaration = {
  key: 'extensions',
  priority: 17_150,
  versionPriorities: { v1beta1: 1 },
  types: [],
};
