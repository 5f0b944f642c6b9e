import { type FieldError, fieldError } from '@orch/machinery';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Checks access modes; errors name the list. `ReadWriteOncePod` excludes every other mode. */
export function checkAccessModes(path: string, listed: readonly string[]): readonly FieldError[] {
  const errors = listed
    .filter((mode) => !modes.includes(mode))
    .map((mode) => fieldError.notSupported(path, mode, modes));
  const known = new Set(listed.filter((mode) => modes.includes(mode)));
  if (known.size > 1 && known.has('ReadWriteOncePod')) {
    errors.push(fieldError.forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}
