import type { ResourceType } from '../resource-type.ts';
import { csiDrivers } from './csi-driver/index.ts';
import { csiNodes } from './csi-node/index.ts';
import { csiStorageCapacities } from './csi-storage-capacity.ts';
import { storageClasses } from './storage-class/index.ts';
import { volumeAttachments } from './volume-attachment/index.ts';

/** The resources of storage, in discovery order. */
export const storageTypes: readonly ResourceType[] = [
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
];
