import type { ResourceType } from '../resource-type.ts';
import { storageVersions } from './storage-version/index.ts';

/** The resources that servers keep for each other. */
export const internalTypes: readonly ResourceType[] = [storageVersions];
