import { type FieldError, fieldError } from '@orch/machinery';
import { asStrings } from '../../../read.ts';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Known ways to mount; errors name the list. One mode excludes every other. */
export function checkAccessModes(path: string, value: unknown): readonly FieldError[] {
  const listed = asStrings(value);
  const errors = listed
    .filter((mode) => !modes.includes(mode))
    .map((mode) => fieldError.notSupported(path, mode, modes));
  if (listed.length > 1 && listed.includes('ReadWriteOncePod')) {
    errors.push(fieldError.forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}
