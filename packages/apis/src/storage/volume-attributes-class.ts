import type * as storage from '@orch/kinds/storage';
import { fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { type Check, f, items, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { metadataField } from '../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../table.ts';
import { checkFormat } from '../validation-rules.ts';
import { checkParameters } from './shared/parameters.ts';

/** A class cannot change, since existing volumes have its attributes. */
const checkClass: Check<storage.VolumeAttributesClass> = ({ driverName = '', parameters = {} }, { old }) => [
  ...(driverName === '' ? [] : checkFormat('qualifiedName', 'driverName', driverName.toLowerCase())),
  ...checkParameters(parameters),
  ...(Object.keys(parameters).length === 0
    ? [fieldError.required('parameters', 'must contain at least one key/value pair')]
    : []),
  ...(old === undefined || old.driverName === driverName
    ? []
    : [fieldError.forbidden('driverName', 'updates to driverName are forbidden.')]),
  ...(old === undefined || jsonEquals(old.parameters ?? {}, parameters)
    ? []
    : [fieldError.forbidden('parameters', 'updates to parameters are forbidden.')]),
];

export const VolumeAttributesClass = struct(
  'storage.v1.VolumeAttributesClass',
  'Attributes of volumes that a driver can change while the volumes are in use. It is immutable.',
  {
    metadata: metadataField,
    driverName: f.string(2, { doc: 'Driver of the volumes.', presence: 'always', required: true }),
    parameters: f.map(3, items.string, { doc: 'Attributes for the driver; at least one.' }),
  },
  { typeMeta: true, checks: [checkClass] },
);

const volumeAttributesClassTable: TableDefinition<storage.VolumeAttributesClass> = {
  columns: [nameColumn, column('DriverName', 'Driver of the volumes.'), ageColumn],
  cells: (object) => [nameCell(object), object.driverName ?? '', ageCell(object)],
};

export const volumeAttributesClasses: ResourceType = defineResource({
  group: 'storage',
  resource: 'volumeattributesclasses',
  kind: 'VolumeAttributesClass',
  namespaced: false,
  shortNames: ['vac'],
  versions: [
    { version: 'v1', schema: VolumeAttributesClass, introduced: '1.34' },
    {
      version: 'v1beta1',
      schema: VolumeAttributesClass,
      introduced: '1.31',
      deprecated: '1.34',
      removed: '1.37',
      servedByDefault: false,
    },
    {
      version: 'v1alpha1',
      schema: VolumeAttributesClass,
      introduced: '1.29',
      deprecated: '1.32',
      removed: '1.35',
      announced: { before: '1.34', deprecated: '1.32', removed: '1.35', replacement: 'none' },
    },
  ],
  table: volumeAttributesClassTable,
  strategy: strategyOf<storage.VolumeAttributesClass>({ deleteReturns: 'object' }),
});
