import { f, items, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { checkNodeDriver, checkSameDrivers } from './validation.ts';

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
      format: 'csiDriverName',
      emptyIsInvalid: { until: '1.35' },
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
      uniqueBy: 'name',
    }),
  },
  { checks: [checkSameDrivers] },
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
  },
  { typeMeta: true },
);
