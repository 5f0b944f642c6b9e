import { type BackupSecret, KEY_BYTES } from '@orch/backup';
import { readFlagFile, StartError, UsageError } from '@orch/program';

const PASSPHRASE_VARIABLE = 'ORCH_BACKUP_PASSPHRASE';

/** The secret from flags or the environment; undefined when none is set. Errors do not contain it. */
export function secretOf(
  { passphraseFile, keyFile }: { readonly passphraseFile: string; readonly keyFile: string },
  environment: Readonly<Record<string, string | undefined>>,
): BackupSecret | undefined {
  if (passphraseFile !== '' && keyFile !== '')
    throw new UsageError('--passphrase-file and --key-file cannot be used together');
  if (keyFile !== '') return { kind: 'keyFile', key: keyOf(readFlagFile('key-file', keyFile)) };
  const passphrase =
    passphraseFile === ''
      ? (environment[PASSPHRASE_VARIABLE] ?? '')
      : passphraseIn(readFlagFile('passphrase-file', passphraseFile));
  return passphrase === '' ? undefined : { kind: 'passphrase', passphrase: Buffer.from(passphrase) };
}

function passphraseIn(text: string): string {
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase === '') throw new StartError('--passphrase-file: the file is empty');
  return passphrase;
}

function keyOf(text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === KEY_BYTES && key.toString('base64') === text.trim()) return key;
  throw new StartError('--key-file: the file must contain 32 bytes in base64');
}
