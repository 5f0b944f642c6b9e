import type { CustomResourceColumnDefinition } from '@orch/kinds/apiextensions';
import { type FieldError, fieldError } from '@orch/machinery';

const types: readonly string[] = ['boolean', 'date', 'integer', 'number', 'string'];
const formats: readonly string[] = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
];

/**
 * Control characters, line breaks and characters that reorder text: a title with one would corrupt the terminals that
 * show it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/** Unprintable titles of columns of a stored definition, which an update may keep. */
export const unprintableTitles = (columns: readonly CustomResourceColumnDefinition[]): ReadonlySet<string> =>
  new Set(columns.map(({ name = '' }) => name).filter((name) => unprintable.test(name)));

/** One column of the table. */
export function checkColumn(
  path: string,
  column: CustomResourceColumnDefinition,
  keptTitles: ReadonlySet<string>,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = column.type ?? '';
  const format = column.format ?? '';
  const jsonPath = column.jsonPath ?? '';
  const typeText = `must be one of ${types.join(',')}`;
  if ((column.name ?? '') === '') errors.push(fieldError.required(`${path}.name`));
  else if (unprintable.test(column.name ?? '') && !keptTitles.has(column.name ?? ''))
    errors.push(
      fieldError.invalid(
        `${path}.name`,
        column.name,
        'must not contain control characters, line breaks or characters that reorder text',
      ),
    );
  if (type === '') errors.push(fieldError.required(`${path}.type`, typeText));
  else if (!types.includes(type)) errors.push(fieldError.invalid(`${path}.type`, type, typeText));
  if (format !== '' && !formats.includes(format))
    errors.push(fieldError.invalid(`${path}.format`, format, `must be one of ${formats.join(',')}`));
  if (jsonPath === '') errors.push(fieldError.required(`${path}.JSONPath`));
  // Tables leave out columns whose path cannot be read: published definitions have such columns.
  else if (!jsonPath.startsWith('.'))
    errors.push(
      fieldError.invalid(`${path}.JSONPath`, jsonPath, 'must be a simple JSON path, which begins with a dot'),
    );
  return errors;
}
