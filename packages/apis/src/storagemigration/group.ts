import type { GroupDeclaration } from '../group-declaration.ts';
import { storageVersionMigrations } from './storage-version-migration/index.ts';

export const storagemigrationGroup: GroupDeclaration = {
  key: 'storagemigration',
  priority: 15_800,
  versionPriorities: { v1: 15, v1beta1: 9, v1alpha1: 9 },
  types: [storageVersionMigrations],
};
