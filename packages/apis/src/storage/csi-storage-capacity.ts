import type * as storage from '@orch/kinds/storage';
import { fieldError } from '@orch/machinery';
import { parseQuantity, quantitySign } from '@orch/machinery/quantity';
import { type Check, f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { metadataField } from '../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../resource-type.ts';
import { column, nameCell, nameColumn } from '../table.ts';
import { checkFormat } from '../validation-rules.ts';
import { capacityWarnings } from './shared/warnings.ts';

/** Checks that the class has a name, and that the capacity is not negative; the size of the largest volume may be. */
const checkCapacities: Check<storage.CSIStorageCapacity> = ({ storageClassName = '', capacity = '' }) => [
  ...checkFormat('dns1123subdomain', 'storageClassName', storageClassName),
  ...(capacity === '' || quantitySign(parseQuantity(capacity)) >= 0
    ? []
    : [fieldError.invalid('capacity', capacity, 'must be greater than or equal to 0')]),
];

export const CSIStorageCapacity = struct(
  'storage.v1.CSIStorageCapacity',
  'How much storage of a class a driver has left in one part of the cluster.',
  {
    metadata: metadataField,
    nodeTopology: f.struct(2, LabelSelector, {
      doc: 'Nodes that can reach the storage; none when absent, all when empty.',
      presence: 'pointer',
      immutable: true,
    }),
    storageClassName: f.string(3, {
      doc: 'Class that the report is about.',
      presence: 'always',
      immutable: true,
    }),
    capacity: f.quantity(4, {
      doc: 'Storage that is left; unknown when absent.',
      presence: 'pointer',
    }),
    maximumVolumeSize: f.quantity(5, {
      doc: 'Largest volume that can be made.',
      presence: 'pointer',
      since: '1.21',
    }),
  },
  { typeMeta: true, checks: [checkCapacities] },
);

const csiStorageCapacityTable: TableDefinition<storage.CSIStorageCapacity> = {
  columns: [
    nameColumn,
    column('StorageClassName', 'Class that the report is about.'),
    column('Capacity', 'Storage that is left.'),
  ],
  cells: (report) => [nameCell(report), report.storageClassName ?? '', report.capacity ?? ''],
};

/** The columns of kinds without a table, which earlier releases used. */
const earlierCsiStorageCapacityTable: TableDefinition<storage.CSIStorageCapacity> = {
  columns: [nameColumn, column('Created At', 'When the server created the object.', { type: 'date' })],
  cells: (report) => [nameCell(report), report.metadata.creationTimestamp ?? null],
};

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
  strategy: strategyOf<storage.CSIStorageCapacity>({
    unconditionalUpdate: false,
    deleteReturns: 'object',
    warnings: capacityWarnings,
  }),
  earlier: [{ before: '1.21', change: { table: earlierCsiStorageCapacityTable } }],
});
