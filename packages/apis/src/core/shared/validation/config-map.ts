import { type ApiObject, type FieldError, fieldError } from '@orch/machinery';
import { asObject } from '../../../read.ts';
import { checkFrozen, checkKeys, maxDataBytes, sizeOf } from './keyed-data.ts';

/** Keys are file names, none is used twice, and all values together are of limited size. */
export function validateConfigMap(next: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const { data, binaryData } = next;
  const binary = asObject(binaryData);
  const twice = Object.keys(asObject(data)).filter((key) => Object.hasOwn(binary, key));
  const errors = [
    ...checkKeys('data', data),
    ...twice.map((key) => fieldError.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...checkKeys('binaryData', binaryData),
  ];
  if (sizeOf(data, 'utf8') + sizeOf(binaryData, 'base64') > maxDataBytes) {
    // Clients know the object itself under this path.
    errors.push(fieldError.tooLong('[]', maxDataBytes));
  }
  return old === undefined ? errors : [...errors, ...checkFrozen(next, old, ['data', 'binaryData'])];
}
