import type { Env } from '@orch/machinery';
import { ProtoError, ProtoWriter } from '@orch/storage/grpc';
import type { KmsConfiguration } from '../configuration/kms-provider.ts';
import { type DecryptedValue, DecryptionError, invalidValue, type ValueCipher } from '../value-cipher.ts';
import { DataKeyCache } from './data-key-cache.ts';
import {
  type EncryptedObject,
  readEncryptedObject,
  sourceId,
  type WrappedSource,
} from './encrypted-object.ts';
import { HealthPoll } from './health-poll.ts';
import { type KeyService, type KeyServiceOptions, undecrypted } from './key-service.ts';
import { KeyServiceClient } from './key-service-client.ts';
import { KeyServiceError } from './key-service-error.ts';
import { KeyServiceMetrics } from './key-service-metrics.ts';
import { type DataCipher, KeyCipher, SeedCipher } from './seed-cipher.ts';
import { decryptV2 } from './v2-messages.ts';
import { type CurrentSeed, Seeds } from './v2-seeds.ts';

const HEALTHY_MS = 60_000;
const UNHEALTHY_MS = 10_000;
/** Maximum number of sources in memory: there is one for each start of each replica, and for each key of the service. */
const MAX_SOURCES = 10_000;
const MIN_SEED_BYTES = 32;
const keyBytes: readonly number[] = [16, 24, 32];

/** Version 2: a seed that the service has encrypted once, and a key derived from it for each value. */
export class KmsV2 implements KeyService, ValueCipher {
  readonly version = 'v2';
  readonly name: string;
  readonly prefix: string;
  readonly #env: Env;
  readonly #head: Buffer;
  readonly #client: KeyServiceClient;
  readonly #metrics: KeyServiceMetrics;
  readonly #sources = new DataKeyCache<DataCipher>(MAX_SOURCES);
  readonly #seeds: Seeds;
  readonly #poll: HealthPoll;
  readonly #writer = new ProtoWriter();

  constructor(configuration: KmsConfiguration, { env, prefix, recovered }: KeyServiceOptions) {
    this.name = configuration.name;
    this.prefix = prefix;
    this.#env = env;
    this.#head = Buffer.from(prefix);
    this.#metrics = new KeyServiceMetrics(configuration.name, env);
    this.#client = new KeyServiceClient(configuration, env, this.#metrics);
    this.#seeds = new Seeds({
      env,
      client: this.#client,
      metrics: this.#metrics,
      changed: ({ source, cipher }) => this.#remember(sourceId(source), cipher),
    });
    this.#poll = new HealthPoll({
      env,
      what: this.#client.what,
      probe: () => this.#seeds.refresh(),
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

  encrypt(value: Buffer, storageKey: string): Buffer | Promise<Buffer> {
    const seed = this.#seeds.usable;
    if (seed !== undefined) return this.#encrypted(seed, value, storageKey);
    return this.#confirmed().then((confirmed) => this.#encrypted(confirmed, value, storageKey));
  }

  decrypt(sealed: Buffer, storageKey: string): DecryptedValue | Promise<DecryptedValue> {
    const { data, source } = parsed(sealed);
    const id = sourceId(source);
    const open = (cipher: DataCipher): DecryptedValue => {
      try {
        return { value: cipher.open(data, storageKey), isStale: this.#isStale(source) };
      } catch (error) {
        // The service may have returned another key.
        this.#sources.delete(id);
        throw error;
      }
    };
    const cipher = this.#sources.get(id, () => this.#load(source));
    return cipher instanceof Promise ? cipher.then(open) : open(cipher);
  }

  /** The seed, after the service has confirmed its key. */
  async #confirmed(): Promise<CurrentSeed> {
    const failure = await this.#poll.probe().catch((error: unknown) => error);
    const seed = this.#seeds.usable;
    if (seed !== undefined) return seed;
    if (failure instanceof KeyServiceError) throw failure;
    throw new KeyServiceError(`${this.#client.what} has no key`, { isTemporary: true, cause: failure });
  }

  #encrypted({ cipher, encoded }: CurrentSeed, value: Buffer, storageKey: string): Buffer {
    this.#writer.reset();
    this.#writer.raw(encoded);
    this.#writer.bytes(1, cipher.seal(value, storageKey));
    return Buffer.concat([this.#head, this.#writer.finish()]);
  }

  async #load(source: WrappedSource): Promise<DataCipher> {
    this.#metrics.missed();
    const { random } = this.#env;
    const key = await this.#client
      .call(decryptV2, { ...source, uid: random.uuid() })
      .catch((error: unknown) => {
        throw undecrypted(error, this.#poll);
      });
    if (source.type === 'seed' ? key.length < MIN_SEED_BYTES : !keyBytes.includes(key.length))
      throw new DecryptionError('invalid', `${this.#client.what} returns a key of ${key.length} bytes`);
    const cipher = source.type === 'seed' ? new SeedCipher(key, random) : new KeyCipher(key, random);
    this.#metrics.sources(this.#sources.size + 1);
    return cipher;
  }

  #remember(id: string, cipher: DataCipher): void {
    this.#sources.set(id, cipher);
    this.#metrics.sources(this.#sources.size);
  }

  #isStale({ keyId, type }: WrappedSource): boolean {
    const { last } = this.#seeds;
    return last !== undefined && (last.source.keyId !== keyId || last.source.type !== type);
  }
}

function parsed(sealed: Buffer): EncryptedObject {
  try {
    const object = readEncryptedObject(sealed);
    if (object !== undefined) return object;
  } catch (error) {
    if (!(error instanceof ProtoError)) throw error;
  }
  throw invalidValue();
}
