import type { GroupDeclaration } from '../group-declaration.ts';
import { csiDrivers } from './csi-driver/index.ts';
import { csiNodes } from './csi-node/index.ts';
import { csiStorageCapacities } from './csi-storage-capacity.ts';
import { storageClasses } from './storage-class/index.ts';
import { volumeAttachments } from './volume-attachment/index.ts';
import { volumeAttributesClasses } from './volume-attributes-class.ts';

export const storageGroup: GroupDeclaration = {
  key: 'storage',
  priority: 16_800,
  versionPriorities: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  types: [
    csiDrivers,
    csiNodes,
    csiStorageCapacities,
    storageClasses,
    volumeAttachments,
    volumeAttributesClasses,
  ],
};
