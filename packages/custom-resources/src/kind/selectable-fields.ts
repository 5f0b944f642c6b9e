import { type FieldReader, fieldReader } from '@orch/apis';
import type { SelectableField } from '@orch/kinds/apiextensions';
import { asText, exactNumberText } from '@orch/machinery/json';
import { fieldsOf, valueAt } from './simple-path.ts';

const textOf = (value: unknown): string =>
  typeof value === 'boolean' ? String(value) : (exactNumberText(value) ?? asText(value));

/** The selectable fields of one version: label (`spec.color`) → reader. Absent fields read as empty string. */
export function customFields(
  selectableFields: readonly SelectableField[],
): Readonly<Record<string, FieldReader>> {
  return Object.fromEntries(
    selectableFields.map(({ jsonPath = '' }) => {
      const fields = fieldsOf(jsonPath);
      const label = fields.join('.');
      return [label, fieldReader([label], (object) => textOf(valueAt(object, fields)))] as const;
    }),
  );
}
