import type { Env } from '@orch/machinery';
import { AesCbcCipher } from '../ciphers/aes-cbc.ts';
import { AesGcmCipher } from '../ciphers/aes-gcm.ts';
import type { KmsConfiguration } from '../configuration/kms-provider.ts';
import { type DecryptedValue, DecryptionError, invalidValue, type ValueCipher } from '../value-cipher.ts';
import { DataKeyCache } from './data-key-cache.ts';
import { HealthPoll } from './health-poll.ts';
import { type KeyService, type KeyServiceOptions, undecrypted } from './key-service.ts';
import { KeyServiceClient } from './key-service-client.ts';
import { KeyServiceError } from './key-service-error.ts';
import { KeyServiceMetrics } from './key-service-metrics.ts';
import { decryptV1, encryptV1 } from './v1-messages.ts';

const KEY_BYTES = 32;
const LENGTH_BYTES = 2;
const MAX_WRAPPED_BYTES = 0xffff;
const HEALTHY_MS = 20_000;
const UNHEALTHY_MS = 3_000;
const PING = Buffer.from('ping');

/** The ciphers of one data key. Releases of Kubernetes before 1.25 have written with CBC. */
interface DataKey {
  readonly gcm: AesGcmCipher;
  readonly cbc: AesCbcCipher;
}

/**
 * Version 1: a data key for each write, which the service encrypts. Stored is
 * `<length of the encrypted key: 2 bytes> <encrypted key> <nonce, ciphertext and tag of AES-GCM>`.
 */
export class KmsV1 implements KeyService, ValueCipher {
  readonly version = 'v1';
  readonly name: string;
  readonly prefix: string;
  readonly #env: Env;
  readonly #head: Buffer;
  readonly #client: KeyServiceClient;
  readonly #metrics: KeyServiceMetrics;
  readonly #keys: DataKeyCache<DataKey>;
  readonly #cacheSize: number;
  readonly #poll: HealthPoll;

  constructor(configuration: KmsConfiguration, { env, prefix, recovered }: KeyServiceOptions) {
    this.name = configuration.name;
    this.prefix = prefix;
    this.#env = env;
    this.#head = Buffer.from(prefix);
    this.#metrics = new KeyServiceMetrics(configuration.name, env);
    this.#client = new KeyServiceClient(configuration, env, this.#metrics);
    this.#keys = new DataKeyCache(configuration.cacheSize);
    this.#cacheSize = configuration.cacheSize;
    this.#poll = new HealthPoll({
      env,
      what: this.#client.what,
      probe: () => this.#probe(),
      healthyMs: HEALTHY_MS,
      unhealthyMs: UNHEALTHY_MS,
      recovered,
    });
  }

  get cipher(): ValueCipher {
    return this;
  }

  get failure(): string | undefined {
    return this.#poll.failure;
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#poll.run(signal);
  }

  probe(): Promise<void> {
    return this.#poll.probe();
  }

  close(): void {
    this.#client.close();
  }

  async encrypt(value: Buffer, storageKey: string): Promise<Buffer> {
    this.#metrics.arrived('to_storage');
    const secret = this.#metrics.generate((count) => this.#env.random.bytes(count), KEY_BYTES);
    const wrapped = await this.#wrapped(secret);
    const key = this.#keyOf(secret);
    this.#remember(wrapped, key);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(wrapped.length);
    return Buffer.concat([this.#head, length, wrapped, key.gcm.encrypt(value, storageKey)]);
  }

  decrypt(sealed: Buffer, storageKey: string): DecryptedValue | Promise<DecryptedValue> {
    this.#metrics.arrived('from_storage');
    if (sealed.length < LENGTH_BYTES) throw invalidValue();
    const end = LENGTH_BYTES + sealed.readUInt16BE();
    if (end === LENGTH_BYTES || sealed.length < end) throw invalidValue();
    const wrapped = sealed.subarray(LENGTH_BYTES, end);
    const id = wrapped.toString('latin1');
    const open = (key: DataKey): DecryptedValue => {
      try {
        return opened(key, sealed.subarray(end), storageKey);
      } catch (error) {
        // The service may have returned another key.
        this.#keys.delete(id);
        throw error;
      }
    };
    const key = this.#keys.get(id, () => this.#load(wrapped));
    return key instanceof Promise ? key.then(open) : open(key);
  }

  async #load(wrapped: Buffer): Promise<DataKey> {
    this.#metrics.missed();
    const secret = await this.#client.call(decryptV1, wrapped).catch((error: unknown) => {
      throw undecrypted(error, this.#poll);
    });
    if (![16, 24, 32].includes(secret.length))
      throw new DecryptionError('invalid', `${this.#client.what} returns a key of ${secret.length} bytes`);
    return this.#keyOf(secret);
  }

  async #wrapped(secret: Buffer): Promise<Buffer> {
    const wrapped = await this.#client.call(encryptV1, secret).catch((error: unknown) => {
      this.#poll.callFailed();
      throw error;
    });
    if (wrapped.length > 0 && wrapped.length <= MAX_WRAPPED_BYTES) return wrapped;
    throw new KeyServiceError(`${this.#client.what} returns an encrypted key of ${wrapped.length} bytes`, {
      isTemporary: false,
    });
  }

  #keyOf(secret: Buffer): DataKey {
    const { random } = this.#env;
    const key = { prefix: '', secret };
    return { gcm: new AesGcmCipher(key, random), cbc: new AesCbcCipher(key, random) };
  }

  #remember(wrapped: Buffer, key: DataKey): void {
    this.#keys.set(wrapped.toString('latin1'), key);
    if (this.#cacheSize > 0) this.#metrics.filled(this.#keys.size / this.#cacheSize);
  }

  async #probe(): Promise<void> {
    const plain = await this.#client.call(decryptV1, await this.#client.call(encryptV1, PING));
    if (plain.equals(PING)) return;
    throw new KeyServiceError(`${this.#client.what} does not decrypt what it has encrypted`, {
      isTemporary: false,
    });
  }
}

function opened({ gcm, cbc }: DataKey, sealed: Buffer, storageKey: string): DecryptedValue {
  try {
    return gcm.decrypt(sealed, storageKey);
  } catch {
    return { value: cbc.decrypt(sealed).value, isStale: true };
  }
}
