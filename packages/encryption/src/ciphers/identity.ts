import type { DecryptedValue, ValueCipher } from '../value-cipher.ts';

/** Values that are not encrypted. */
export const identity: ValueCipher = {
  prefix: '',
  encrypt: (value: Buffer): Buffer => value,
  decrypt: (value: Buffer): DecryptedValue => ({ value, isStale: false }),
};
