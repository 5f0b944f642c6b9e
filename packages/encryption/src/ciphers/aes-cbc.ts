import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import type { Random } from '@orch/machinery';
import { invalidValue, type ValueCipher } from '../value-cipher.ts';
import type { CipherKey } from './cipher-key.ts';

const BLOCK_BYTES = 16;

/**
 * `<initialization vector: 16 bytes> <ciphertext>`, padded as PKCS #7 requires. Values are not authenticated: changed ones may be
 * decrypted to other bytes, and values can be moved between keys of the store.
 */
export class AesCbcCipher implements ValueCipher {
  readonly prefix: string;
  readonly #head: Buffer;
  readonly #key: KeyObject;
  readonly #random: Pick<Random, 'bytes'>;
  readonly #algorithm: string;

  constructor({ prefix, secret }: CipherKey, random: Pick<Random, 'bytes'>) {
    this.prefix = prefix;
    this.#head = Buffer.from(prefix);
    this.#key = createSecretKey(secret);
    this.#random = random;
    this.#algorithm = `aes-${secret.length * 8}-cbc`;
  }

  encrypt(value: Buffer): Buffer {
    const vector = this.#random.bytes(BLOCK_BYTES);
    const cipher = createCipheriv(this.#algorithm, this.#key, vector);
    return Buffer.concat([this.#head, vector, cipher.update(value), cipher.final()]);
  }

  decrypt(sealed: Buffer): { readonly value: Buffer; readonly isStale: false } {
    if (sealed.length < 2 * BLOCK_BYTES || sealed.length % BLOCK_BYTES !== 0) throw invalidValue();
    const decipher = createDecipheriv(this.#algorithm, this.#key, sealed.subarray(0, BLOCK_BYTES));
    try {
      const value = Buffer.concat([decipher.update(sealed.subarray(BLOCK_BYTES)), decipher.final()]);
      return { value, isStale: false };
    } catch {
      throw invalidValue();
    }
  }
}
