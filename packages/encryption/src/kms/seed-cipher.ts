import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Random } from '@orch/machinery';
import { AesGcmCipher } from '../ciphers/aes-gcm.ts';
import { invalidValue } from '../value-cipher.ts';

const INFO_BYTES = 32;
const FIRST_BLOCK = Buffer.from([1]);

/** Seals values with data keys, and opens them. */
export interface DataCipher {
  seal(value: Buffer, storageKey: string): Buffer;
  /** Throws `DecryptionError`. */
  open(sealed: Buffer, storageKey: string): Buffer;
}

/** One data key for all values: random nonces allow no more than 2^32 of them. */
export class KeyCipher implements DataCipher {
  readonly #cipher: AesGcmCipher;

  constructor(key: Buffer, random: Pick<Random, 'bytes'>) {
    this.#cipher = new AesGcmCipher({ prefix: '', secret: key }, random);
  }

  seal(value: Buffer, storageKey: string): Buffer {
    return this.#cipher.encrypt(value, storageKey);
  }

  open(sealed: Buffer, storageKey: string): Buffer {
    return this.#cipher.decrypt(sealed, storageKey).value;
  }
}

/**
 * `<info: 32 random bytes> <data sealed with the key derived from the seed and the info>`: a separate key for each
 * value.
 */
export class SeedCipher implements DataCipher {
  readonly #seed: KeyObject;
  readonly #random: Pick<Random, 'bytes'>;

  constructor(seed: Buffer, random: Pick<Random, 'bytes'>) {
    this.#seed = createSecretKey(seed);
    this.#random = random;
  }

  seal(value: Buffer, storageKey: string): Buffer {
    const info = this.#random.bytes(INFO_BYTES);
    return Buffer.concat([info, this.#derived(info).seal(value, storageKey)]);
  }

  open(sealed: Buffer, storageKey: string): Buffer {
    if (sealed.length < INFO_BYTES) throw invalidValue();
    return this.#derived(sealed.subarray(0, INFO_BYTES)).open(sealed.subarray(INFO_BYTES), storageKey);
  }

  /** The expansion of HKDF with SHA-256 (RFC 5869, section 2.3), of which one block is needed. The seed is uniformly random. */
  #derived(info: Buffer): KeyCipher {
    const key = createHmac('sha256', this.#seed).update(info).update(FIRST_BLOCK).digest();
    return new KeyCipher(key, this.#random);
  }
}
