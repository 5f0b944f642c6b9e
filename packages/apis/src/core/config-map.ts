import type * as core from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { f, items, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { metadataField } from '../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../resource-type.ts';
import { ageCell, ageColumn, column, countOf, nameCell, nameColumn } from '../table.ts';
import { checkFrozen, checkKeys, MAX_DATA_BYTES, sizeOf } from './shared/validation/keyed-data.ts';

export const ConfigMap = struct(
  'core.v1.ConfigMap',
  'Configuration for pods to read as files or environment variables. For anything secret use a Secret.',
  {
    metadata: metadataField,
    immutable: f.bool(4, {
      doc: 'Once true, data and binaryData stay as they are, and so does this field.',
      presence: 'pointer',
      since: '1.19',
      gate: 'ImmutableEphemeralVolumes',
    }),
    data: f.map(2, items.string, {
      doc: 'Values as text. Keys consist of letters, digits, `-`, `_` and `.`.',
    }),
    binaryData: f.map(3, items.bytes, { doc: 'Values as bytes; keys must not repeat those of data.' }),
  },
  { typeMeta: true },
);

/** Checks that keys are file names, each used once, and that all values together have a limited size. */
function validateConfigMap(next: core.ConfigMap, old: core.ConfigMap | undefined): readonly FieldError[] {
  const { data, binaryData } = next;
  const binary = binaryData ?? {};
  const twice = Object.keys(data ?? {}).filter((key) => Object.hasOwn(binary, key));
  const errors = [
    ...checkKeys('data', data),
    ...twice.map((key) => fieldError.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...checkKeys('binaryData', binaryData),
  ];
  if (sizeOf(data, 'utf8') + sizeOf(binaryData, 'base64') > MAX_DATA_BYTES) {
    // For compatibility, this path denotes the object as a whole.
    errors.push(fieldError.tooLong('[]', MAX_DATA_BYTES));
  }
  return old === undefined ? errors : [...errors, ...checkFrozen(next, old, ['data', 'binaryData'])];
}

const configMapTable: TableDefinition<core.ConfigMap> = {
  columns: [nameColumn, column('Data', 'Number of values.'), ageColumn],
  cells: (object) => [nameCell(object), countOf(object.data) + countOf(object.binaryData), ageCell(object)],
};

export const configMaps: ResourceType = defineResource({
  group: '',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  shortNames: ['cm'],
  versions: [{ version: 'v1', schema: ConfigMap }],
  table: configMapTable,
  strategy: strategyOf<core.ConfigMap>({ validate: validateConfigMap }),
});
