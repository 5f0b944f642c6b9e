import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import type { Random } from '@orch/machinery';
import { invalidValue, type ValueCipher } from '../value-cipher.ts';
import type { CipherKey } from './cipher-key.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `<nonce: 12 bytes> <ciphertext> <tag: 16 bytes>`, with the storage key as additional authenticated data. */
export class AesGcmCipher implements ValueCipher {
  readonly prefix: string;
  readonly #head: Buffer;
  readonly #key: KeyObject;
  readonly #random: Pick<Random, 'bytes'>;
  readonly #algorithm: 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm';

  constructor({ prefix, secret }: CipherKey, random: Pick<Random, 'bytes'>) {
    this.prefix = prefix;
    this.#head = Buffer.from(prefix);
    this.#key = createSecretKey(secret);
    this.#random = random;
    this.#algorithm = `aes-${(secret.length * 8) as 128 | 192 | 256}-gcm`;
  }

  encrypt(value: Buffer, storageKey: string): Buffer {
    const nonce = this.#random.bytes(NONCE_BYTES);
    const cipher = createCipheriv(this.#algorithm, this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(storageKey));
    const sealed = cipher.update(value);
    return Buffer.concat([this.#head, nonce, sealed, cipher.final(), cipher.getAuthTag()]);
  }

  decrypt(sealed: Buffer, storageKey: string): { readonly value: Buffer; readonly isStale: false } {
    const end = sealed.length - TAG_BYTES;
    if (end < NONCE_BYTES) throw invalidValue();
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(this.#algorithm, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(storageKey)).setAuthTag(sealed.subarray(end));
    const value = decipher.update(sealed.subarray(NONCE_BYTES, end));
    try {
      // It returns no more bytes of the value, and fails when the tag is another one.
      decipher.final();
    } catch {
      throw invalidValue();
    }
    return { value, isStale: false };
  }
}
