/** A value that was decrypted. */
export interface DecryptedValue {
  readonly value: Buffer;
  /** It would now be encrypted differently: with another key, or at all. */
  readonly isStale: boolean;
}

/**
 * Encrypts and decrypts stored values with one key, or as one provider. `storageKey` is the key of the value in the store, which
 * authenticated ciphers bind the value to. Results are promises only where a remote service is called.
 */
export interface ValueCipher {
  /** The prefix of the stored values of this cipher; empty for values that are not encrypted. */
  readonly prefix: string;
  /** The stored value, prefix included. The given bytes are not changed, and may be returned. */
  encrypt(value: Buffer, storageKey: string): Buffer | Promise<Buffer>;
  /** Decrypts the bytes behind the prefix. Throws `DecryptionError`. */
  decrypt(sealed: Buffer, storageKey: string): DecryptedValue | Promise<DecryptedValue>;
}

/**
 * - `noProvider`: no configured provider reads values with this prefix.
 * - `unavailable`: the key service of the value does not answer now.
 * - `invalid`: the bytes are not what the key wrote for this place: changed, truncated, moved, or of another key.
 */
export type DecryptionErrorCode = 'noProvider' | 'unavailable' | 'invalid';

/** A stored value that cannot be decrypted. Messages contain no bytes of the value, except for its prefix. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
  readonly code: DecryptionErrorCode;

  constructor(code: DecryptionErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The same message for each reason, so that failures reveal nothing about the content. */
export const invalidValue = (): DecryptionError =>
  new DecryptionError('invalid', 'the value was changed, moved, or encrypted with another key');
