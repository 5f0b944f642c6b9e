import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import type { Random } from '@orch/machinery';
import { invalidValue, type ValueCipher } from '../value-cipher.ts';
import type { CipherKey } from './cipher-key.ts';

const NONCE_BYTES = 24;
const TAG_BYTES = 16;

/**
 * `<nonce: 24 bytes> <tag: 16 bytes> <ciphertext>`: the secretbox of NaCl (XSalsa20 and Poly1305). Values are authenticated, but not
 * bound to their keys in the store.
 */
export class SecretboxCipher implements ValueCipher {
  readonly prefix: string;
  readonly #head: Buffer;
  readonly #secret: Uint8Array;
  readonly #random: Pick<Random, 'bytes'>;

  constructor({ prefix, secret }: CipherKey, random: Pick<Random, 'bytes'>) {
    this.prefix = prefix;
    this.#head = Buffer.from(prefix);
    this.#secret = new Uint8Array(secret);
    this.#random = random;
  }

  encrypt(value: Buffer): Buffer {
    const nonce = this.#random.bytes(NONCE_BYTES);
    return Buffer.concat([this.#head, nonce, xsalsa20poly1305(this.#secret, nonce).encrypt(value)]);
  }

  decrypt(sealed: Buffer): { readonly value: Buffer; readonly isStale: false } {
    if (sealed.length < NONCE_BYTES + TAG_BYTES) throw invalidValue();
    const box = xsalsa20poly1305(this.#secret, sealed.subarray(0, NONCE_BYTES));
    let opened: Uint8Array;
    try {
      opened = box.decrypt(sealed.subarray(NONCE_BYTES));
    } catch {
      throw invalidValue();
    }
    return { value: Buffer.from(opened.buffer, opened.byteOffset, opened.length), isStale: false };
  }
}
