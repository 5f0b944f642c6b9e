import type * as core from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { setField } from '@orch/machinery/json';
import { type Derive, f, items, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { textField } from '../../field-reader.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, countOf, nameCell, nameColumn } from '../../table.ts';
import { secretValidation, validateSecret } from './validation.ts';
import { secretWarnings } from './warnings.ts';

/** Moves string values to `data`, replacing those with the same key; they are write-only. */
const deriveSecretData: Derive<Draft<core.Secret>> = (secret) => {
  if (secret.stringData === undefined) return false;
  const data: Record<string, string> = { ...secret.data };
  for (const [key, text] of Object.entries(secret.stringData)) {
    setField(data, key, Buffer.from(text ?? '', 'utf8').toString('base64'));
  }
  delete secret.stringData;
  secret.data = data;
  return true;
};

export const Secret = struct(
  'core.v1.Secret',
  'Sensitive values of small size, such as passwords and keys.',
  {
    metadata: metadataField,
    immutable: f.bool(5, {
      doc: 'Once true, the values stay as they are, and so does this field.',
      presence: 'pointer',
      since: '1.19',
      gate: 'ImmutableEphemeralVolumes',
    }),
    data: f.map(2, items.bytes, {
      doc: 'Values as bytes. Keys consist of letters, digits, `-`, `_` and `.`.',
    }),
    stringData: f.map(4, items.string, { doc: 'Values as text, for writing only: they are stored in data.' }),
    type: f.string(3, { doc: 'Purpose of the secret; some types require certain keys.', default: 'Opaque' }),
  },
  { typeMeta: true, holdsCredentials: true, derive: deriveSecretData },
);

const secretTable: TableDefinition<core.Secret> = {
  columns: [
    nameColumn,
    column('Type', 'Purpose of the secret.'),
    column('Data', 'Number of values.'),
    ageColumn,
  ],
  cells: (secret) => [nameCell(secret), secret.type ?? '', countOf(secret.data), ageCell(secret)],
};

export const secrets: ResourceType = defineResource({
  group: '',
  resource: 'secrets',
  kind: 'Secret',
  namespaced: true,
  versions: [{ version: 'v1', schema: Secret }],
  table: secretTable,
  strategy: strategyOf<core.Secret>({
    validate: (next, old, { names }) => validateSecret(next, old, names),
    validation: (next, old, { names }) => secretValidation(next, old, names),
    warnings: secretWarnings,
  }),
  fields: { type: textField('type') },
});
