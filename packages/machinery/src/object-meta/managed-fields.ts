import { type FieldError, fieldError } from '../field-error.ts';
import { child, index } from './field-path.ts';
import { problemsOf } from './problems.ts';

const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

const notPrintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** A manager's name (also the `fieldManager` parameter): at most 128 bytes, all printable. */
function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > MAX_MANAGER_BYTES)
    errors.push(fieldError.tooLong(path, MAX_MANAGER_BYTES));
  if (notPrintable.test(manager)) {
    errors.push(fieldError.invalid(path, manager, 'must be made of printable characters only'));
  }
  return errors;
}

function validateEntry(entry: unknown, path: string): FieldError[] {
  if (typeof entry !== 'object' || entry === null)
    return [fieldError.invalid(path, entry, 'must be an object')];
  const { operation, fieldsType = '', manager = '', subresource = '' } = entry as Record<string, unknown>;
  const errors: FieldError[] = [];
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(fieldError.invalid(child(path, 'operation'), operation ?? '', 'must be `Apply` or `Update`'));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(fieldError.invalid(child(path, 'fieldsType'), fieldsType, 'must be `FieldsV1`'));
  }
  if (typeof manager === 'string') errors.push(...validateFieldManager(manager, child(path, 'manager')));
  if (typeof subresource === 'string' && Buffer.byteLength(subresource) > MAX_SUBRESOURCE_BYTES) {
    errors.push(fieldError.tooLong(child(path, 'subresource'), MAX_SUBRESOURCE_BYTES));
  }
  return errors;
}

/** Entries of `metadata.managedFields`. */
export const validateManagedFields = (entries: readonly unknown[] | undefined, path: string): FieldError[] =>
  problemsOf(entries ?? [], (entry, i) => validateEntry(entry, index(path, i)));
