import { type FieldError, fieldError } from '@orch/machinery';

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;

/** Checks the number and the size of the parameters of a driver. */
export function checkParameters(parameters: Readonly<Record<string, string>> = {}): readonly FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) return [fieldError.tooLong('parameters', MAX_PARAMETERS)];
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of entries) {
    if (key === '') errors.push(fieldError.invalid('parameters', key, 'field can not be empty.'));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > MAX_PARAMETER_BYTES) errors.push(fieldError.tooLong('parameters', MAX_PARAMETER_BYTES));
  return errors;
}
