import type { GroupDeclaration } from '../group-declaration.ts';
import { storageVersions } from './storage-version/index.ts';

export const internalGroup: GroupDeclaration = {
  key: 'apiserverinternal',
  priority: 16_000,
  versionPriorities: { v1alpha1: 9 },
  types: [storageVersions],
};
