import type { ResourceType } from '../resource-type.ts';
import { storageVersionMigrations } from './storage-version-migration/index.ts';

/** The resources of the group, in discovery order. */
export const storagemigrationTypes: readonly ResourceType[] = [storageVersionMigrations];
