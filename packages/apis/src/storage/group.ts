import { chain } from '@orch/schema';
import { defineResource, statusSubresource, strategyOf } from '../define-resource.ts';
import type { ResourceType, Strategy } from '../resource-type.ts';
import { keepStatus, statusRules } from '../status-strategy.ts';
import { CSIDriver } from './csi-driver/v1.ts';
import { CSIDriver as CSIDriverV1Beta1 } from './csi-driver/v1beta1.ts';
import { validateDriverUpdate, validateFixedDriver } from './csi-driver/validation.ts';
import { CSINode } from './csi-node/v1.ts';
import { CSIStorageCapacity } from './csi-storage-capacity.ts';
import {
  csiDriverTable,
  csiNodeTable,
  csiStorageCapacityTable,
  earlierCsiStorageCapacityTable,
  storageClassTable,
  volumeAttachmentTable,
} from './shared/tables.ts';
import { StorageClass } from './storage-class/v1.ts';
import { VolumeAttachment } from './volume-attachment/v1.ts';
import { isOlderAttachment, validateNewAttachment } from './volume-attachment/validation.ts';

const driverStrategy = (different: Partial<Strategy>): Strategy =>
  strategyOf({ unconditionalUpdate: false, deleteReturns: 'object', ...different });

export const csiDrivers: ResourceType = defineResource({
  group: 'storage',
  resource: 'csidrivers',
  kind: 'CSIDriver',
  namespaced: false,
  nameFormat: 'csiDriverName',
  versions: [
    { version: 'v1', schema: CSIDriver, introduced: '1.19' },
    {
      version: 'v1beta1',
      schema: CSIDriverV1Beta1,
      // The JSON is the same; the lens that does nothing says that the schemas are not.
      lens: chain(),
      introduced: '1.14',
      deprecated: '1.19',
      removed: '1.22',
    },
  ],
  table: csiDriverTable,
  strategy: driverStrategy({
    generation: 'spec',
    validate: (next, old) => (old === undefined ? [] : validateDriverUpdate(next, old)),
  }),
  earlier: [
    {
      before: '1.21',
      change: {
        strategy: driverStrategy({
          validate: (next, old) => (old === undefined ? [] : validateFixedDriver(next, old)),
        }),
      },
    },
  ],
});

export const csiNodes: ResourceType = defineResource({
  group: 'storage',
  resource: 'csinodes',
  kind: 'CSINode',
  namespaced: false,
  versions: [
    { version: 'v1', schema: CSINode, introduced: '1.17' },
    { version: 'v1beta1', schema: CSINode, introduced: '1.14', deprecated: '1.17', removed: '1.22' },
  ],
  table: csiNodeTable,
  strategy: strategyOf({ unconditionalUpdate: false, deleteReturns: 'object' }),
});

export const csiStorageCapacities: ResourceType = defineResource({
  group: 'storage',
  resource: 'csistoragecapacities',
  kind: 'CSIStorageCapacity',
  namespaced: true,
  versions: [
    { version: 'v1', schema: CSIStorageCapacity, introduced: '1.24' },
    {
      version: 'v1beta1',
      schema: CSIStorageCapacity,
      introduced: '1.21',
      deprecated: '1.24',
      removed: '1.27',
    },
    {
      version: 'v1alpha1',
      schema: CSIStorageCapacity,
      introduced: '1.19',
      deprecated: '1.21',
      removed: '1.24',
      replacement: { group: 'storage', version: 'v1beta1', kind: 'CSIStorageCapacity' },
    },
  ],
  table: csiStorageCapacityTable,
  strategy: strategyOf({ unconditionalUpdate: false, deleteReturns: 'object' }),
  earlier: [{ before: '1.21', change: { table: earlierCsiStorageCapacityTable } }],
});

export const storageClasses: ResourceType = defineResource({
  group: 'storage',
  resource: 'storageclasses',
  kind: 'StorageClass',
  namespaced: false,
  shortNames: ['sc'],
  versions: [
    { version: 'v1', schema: StorageClass, introduced: '1.6' },
    { version: 'v1beta1', schema: StorageClass, introduced: '1.4', deprecated: '1.19', removed: '1.22' },
  ],
  table: storageClassTable,
  strategy: strategyOf({ deleteReturns: 'object' }),
});

export const volumeAttachments: ResourceType = defineResource({
  group: 'storage',
  resource: 'volumeattachments',
  kind: 'VolumeAttachment',
  namespaced: false,
  versions: [
    { version: 'v1', schema: VolumeAttachment, introduced: '1.13' },
    {
      version: 'v1beta1',
      schema: VolumeAttachment,
      introduced: '1.10',
      deprecated: '1.19',
      removed: '1.22',
      differs: { subresources: [] },
    },
    {
      version: 'v1alpha1',
      schema: VolumeAttachment,
      introduced: '1.9',
      deprecated: '1.21',
      removed: '1.24',
      differs: { subresources: [] },
    },
  ],
  table: volumeAttachmentTable,
  strategy: strategyOf({
    unconditionalUpdate: false,
    deleteReturns: 'object',
    prepareForCreate(next, context) {
      if (!isOlderAttachment(context)) next['status'] = { attached: false };
    },
    prepareForUpdate(next, old, context) {
      if (!isOlderAttachment(context)) keepStatus(next, old, context);
    },
    validate: (next, old, context) => (old === undefined ? validateNewAttachment(next, context) : []),
    through: { status: statusRules() },
  }),
  subresources: [statusSubresource('VolumeAttachment', 'storage')],
});

/** The resources of storage, in discovery order. */
export const storageTypes: readonly ResourceType[] = [
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
];
