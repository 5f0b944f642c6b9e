import type * as core from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { f, items, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { metadataField } from '../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../resource-type.ts';
import { ageCell, ageColumn, column, countOf, nameCell, nameColumn } from '../table.ts';
import {
  type CheckedData,
  checkData,
  checkDataInPieces,
  checkFrozen,
  isWide,
  MAX_DATA_BYTES,
} from './shared/validation/keyed-data.ts';

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
const validateConfigMap = (next: core.ConfigMap, old: core.ConfigMap | undefined): readonly FieldError[] =>
  violationsOf(next, old, [checkData('data', next.data), checkData('binaryData', next.binaryData, 'base64')]);

/** Like `validateConfigMap`, in pieces. Undefined for a map without thousands of keys. */
const configMapValidation = (
  next: core.ConfigMap,
  old: core.ConfigMap | undefined,
): Work<readonly FieldError[]> | undefined =>
  isWide(next.data) || isWide(next.binaryData) ? validationInPieces(next, old) : undefined;

function* validationInPieces(
  next: core.ConfigMap,
  old: core.ConfigMap | undefined,
): Work<readonly FieldError[]> {
  const text = yield* checkDataInPieces('data', next.data);
  const binary = yield* checkDataInPieces('binaryData', next.binaryData, 'base64');
  return violationsOf(next, old, [text, binary]);
}

/** The violations of all rules, when the keys of both fields have been checked. */
function violationsOf(
  next: core.ConfigMap,
  old: core.ConfigMap | undefined,
  [text, binary]: readonly [CheckedData, CheckedData],
): readonly FieldError[] {
  const { data, binaryData } = next;
  // Most maps have no binary data: the keys of the others are then not listed.
  const twice =
    binaryData === undefined ? [] : Object.keys(data ?? {}).filter((key) => Object.hasOwn(binaryData, key));
  const errors = [
    ...text.errors,
    ...twice.map((key) => fieldError.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...binary.errors,
  ];
  if (text.bytes + binary.bytes > MAX_DATA_BYTES) {
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
  strategy: strategyOf<core.ConfigMap>({ validate: validateConfigMap, validation: configMapValidation }),
});
