import { type FieldError, fieldError } from '@orch/machinery';
import type { CustomResourceColumnDefinition } from '../../../types/apiextensions.ts';

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

/** One column of the table. */
export function checkColumn(path: string, column: CustomResourceColumnDefinition): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = column.type ?? '';
  const format = column.format ?? '';
  const jsonPath = column.jsonPath ?? '';
  const typeText = `must be one of ${types.join(',')}`;
  if ((column.name ?? '') === '') errors.push(fieldError.required(`${path}.name`));
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
