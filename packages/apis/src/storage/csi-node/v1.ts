import { f, items, struct } from '@orch/schema';
import { healthReason, MAX_HEALTH_CONDITIONS } from '../../meta/health-condition.ts';
import { metadataField, statusField } from '../../meta/standard-fields.ts';
import { driverName } from '../../validation-rules.ts';
import { checkNodeDriver, checkOneOfEach, checkSameDrivers } from './validation.ts';

export const VolumeNodeResources = struct(
  'storage.v1.VolumeNodeResources',
  'Limits of a node for the volumes of a driver.',
  {
    count: f.int32(1, {
      doc: 'Maximum number of volumes in use on the node; no bound when absent.',
      presence: 'pointer',
      min: 0,
    }),
  },
);

export const CSINodeDriver = struct(
  'storage.v1.CSINodeDriver',
  'A storage driver as it is installed on a node.',
  {
    name: f.string(1, {
      doc: 'Name of the driver.',
      presence: 'always',
      required: true,
    }),
    nodeID: f.string(2, { doc: 'Name of the node for the driver.', presence: 'always', required: true }),
    topologyKeys: f.list(3, items.string, {
      doc: 'Labels of nodes that determine from which nodes its volumes can be reached.',
      presence: 'always',
      openapiRequired: false,
    }),
    allocatable: f.struct(4, VolumeNodeResources, {
      doc: 'How many of its volumes the node can attach.',
      presence: 'pointer',
      since: '1.16',
    }),
  },
  { checks: [checkNodeDriver] },
);

export const CSINodeSpec = struct(
  'storage.v1.CSINodeSpec',
  'The storage drivers of a node.',
  {
    drivers: f.list(1, CSINodeDriver, {
      doc: 'The drivers, each once.',
      presence: 'always',
      patchStrategy: 'merge',
      patchMergeKey: 'name',
    }),
  },
  { checks: [checkOneOfEach, checkSameDrivers] },
);

const StorageHealthCondition = struct(
  'storage.v1.StorageHealthCondition',
  'What is wrong with the storage of a driver on a node.',
  {
    status: f.string(1, {
      doc: 'StorageUnreachable or StorageDegraded.',
      presence: 'always',
      required: true,
      enum: ['StorageDegraded', 'StorageUnreachable'],
    }),
    ...healthReason,
    accessMode: f.string(4, {
      doc: 'Access mode of the volumes that are concerned; all when absent.',
      presence: 'pointer',
      enum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
    }),
    volumeMode: f.string(5, {
      doc: 'Mode of the volumes that are concerned, Filesystem or Block; all when absent.',
      presence: 'pointer',
      enum: ['Block', 'Filesystem'],
    }),
    lastTransitionTime: f.time(6, { doc: 'When the condition last changed.', presence: 'always' }),
  },
);

const StorageHealth = struct(
  'storage.v1.StorageHealth',
  'Health of the storage of a driver on a node.',
  {
    name: f.string(1, {
      doc: 'Name of the driver.',
      presence: 'always',
      required: true,
    }),
    healthConditions: f.list(2, StorageHealthCondition, {
      doc: 'What is wrong with it; healthy when empty.',
      listType: 'atomic',
      maxItems: MAX_HEALTH_CONDITIONS,
    }),
  },
  { checks: [driverName('name')] },
);

export const CSINodeStatus = struct(
  'storage.v1.CSINodeStatus',
  'What is known about the storage of a node.',
  {
    storageHealth: f.list(1, StorageHealth, {
      doc: 'Health of the storage, by driver.',
      listType: 'map',
      mapKeys: ['name'],
      patchStrategy: 'merge',
      patchMergeKey: 'name',
      since: 'never',
      gate: 'CSIVolumeHealth',
      gatedSince: '1.37',
    }),
  },
);

export const CSINode = struct(
  'storage.v1.CSINode',
  'Information about the storage drivers on a node. It has the name of the node and is deleted with it.',
  {
    metadata: metadataField,
    spec: f.struct(2, CSINodeSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
    status: { ...statusField(CSINodeStatus), since: '1.37' },
  },
  { typeMeta: true },
);
