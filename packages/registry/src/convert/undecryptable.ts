import { encryptionPrefixOf } from '@orch/storage';

/** A stored object that is encrypted and cannot be decrypted: not with the present keys, or not at all. */
export class UndecryptableError extends Error {
  override readonly name = 'UndecryptableError';
}

/** Throws for encrypted bytes, which only a server with an encryption configuration reads. */
export function refuseEncrypted(stored: Buffer, marker: string): void {
  const prefix = encryptionPrefixOf(stored, marker);
  if (prefix === undefined) return;
  throw new UndecryptableError(
    `the value is encrypted with the prefix ${JSON.stringify(prefix)}, and no provider is configured for its resource`,
  );
}
