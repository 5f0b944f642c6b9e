/**
 * - `notABackup`: the file is not a backup.
 * - `unsupported`: a later version of the format.
 * - `damaged`: bytes were changed, moved or added.
 * - `truncated`: the file ends before the backup does.
 * - `keyRequired`: the backup is encrypted, and there is no key of the needed kind.
 * - `wrongKey`: the key is not that of the backup.
 * - `refused`: the target store must not be changed by this restore.
 * - `alreadyThere`: the target of a migration is the store that servers use.
 */
export type BackupErrorCode =
  | 'notABackup'
  | 'unsupported'
  | 'damaged'
  | 'truncated'
  | 'keyRequired'
  | 'wrongKey'
  | 'refused'
  | 'alreadyThere';

/** A backup that cannot be read, or not be restored. Messages contain no stored values. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly code: BackupErrorCode;

  constructor(code: BackupErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}
