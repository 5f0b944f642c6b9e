import { encryptionPrefixOf } from '@orch/storage';

/** Throws for encrypted bytes, which only a server with an encryption configuration reads. */
export function refuseEncrypted(stored: Buffer, marker: string): void {
  const prefix = encryptionPrefixOf(stored, marker);
  if (prefix === undefined) return;
  throw new TypeError(
    `the value is encrypted with the prefix ${JSON.stringify(prefix)}, and no provider is configured for its resource`,
  );
}
