import { encryptionPrefixOf } from '@orch/storage';
import type { TransformationMetrics } from './transformation-metrics.ts';
import { type DecryptedValue, DecryptionError, type ValueCipher } from './value-cipher.ts';

/** A cipher, and how its stored values are recognized. */
interface Member {
  readonly cipher: ValueCipher;
  readonly head: Buffer;
}

export interface ProviderChainOptions {
  /** The first one encrypts. Their prefixes differ. */
  readonly ciphers: readonly ValueCipher[];
  /** The prefix of all encrypted values. */
  readonly marker: string;
  readonly metrics: TransformationMetrics;
}

/** The ciphers of a resource: the first one encrypts, and the one that the prefix of a value names decrypts it. */
export class ProviderChain {
  readonly #members: readonly Member[];
  readonly #marker: string;
  readonly #metrics: TransformationMetrics;

  constructor({ ciphers, marker, metrics }: ProviderChainOptions) {
    this.#members = ciphers.map((cipher) => ({ cipher, head: Buffer.from(cipher.prefix) }));
    this.#marker = marker;
    this.#metrics = metrics;
  }

  /** Values are encrypted when they are written. */
  get encrypts(): boolean {
    return this.#members[0]?.cipher.prefix !== '';
  }

  encrypt(value: Buffer, storageKey: string): Buffer | Promise<Buffer> {
    const [first] = this.#members;
    if (first === undefined) throw new TypeError('a resource has no provider');
    const { cipher } = first;
    return this.#metrics.measure('to_storage', cipher.prefix, () => cipher.encrypt(value, storageKey));
  }

  /** Throws `DecryptionError`, or rejects with it. */
  decrypt(stored: Buffer, storageKey: string): DecryptedValue | Promise<DecryptedValue> {
    const reader = this.#members.find((member) => this.#reads(member, stored));
    if (reader === undefined) {
      this.#metrics.unknownPrefix();
      throw new DecryptionError('noProvider', noProvider(stored, this.#marker));
    }
    const { cipher, head } = reader;
    const isFirst = reader === this.#members[0];
    const fromFirst = (read: DecryptedValue): DecryptedValue =>
      isFirst || read.isStale ? read : { value: read.value, isStale: true };
    const read = this.#metrics.measure('from_storage', cipher.prefix, () =>
      cipher.decrypt(head.length === 0 ? stored : stored.subarray(head.length), storageKey),
    );
    return read instanceof Promise ? read.then(fromFirst) : fromFirst(read);
  }

  /** Values that are not encrypted are read by the identity provider only, and encrypted ones never are. */
  #reads({ head }: Member, stored: Buffer): boolean {
    if (head.length === 0) return encryptionPrefixOf(stored, this.#marker) === undefined;
    return stored.length >= head.length && stored.compare(head, 0, head.length, 0, head.length) === 0;
  }
}

function noProvider(stored: Buffer, marker: string): string {
  const prefix = encryptionPrefixOf(stored, marker);
  return prefix === undefined
    ? 'the value is not encrypted, and no identity provider is configured'
    : `no configured provider decrypts values with the prefix ${JSON.stringify(prefix)}`;
}
