import { createHash } from 'node:crypto';
import type { Env } from '@orch/machinery';
import { ProtoWriter } from '@orch/storage/grpc';
import { problemOf, problemOfKeyId, type WrappedSource, writeSource } from './encrypted-object.ts';
import type { KeyServiceClient } from './key-service-client.ts';
import { KeyServiceError } from './key-service-error.ts';
import type { KeyServiceMetrics } from './key-service-metrics.ts';
import { type DataCipher, SeedCipher } from './seed-cipher.ts';
import { encryptV2, type PluginStatus, statusV2 } from './v2-messages.ts';

const SEED_BYTES = 32;
/**
 * Time for which a seed encrypts after the service last reported its key: within this time a changed key takes effect.
 */
const MAX_USE_MS = 180_000;
const versions: ReadonlySet<string> = new Set(['v2', 'v2beta1']);

/** The seed that encrypts. */
export interface CurrentSeed {
  readonly cipher: DataCipher;
  readonly source: WrappedSource;
  /** The fields of a stored value behind its data. */
  readonly encoded: Buffer;
}

export interface SeedOptions {
  readonly env: Env;
  readonly client: KeyServiceClient;
  readonly metrics: KeyServiceMetrics;
  /** Another seed encrypts from now on. */
  readonly changed: (seed: CurrentSeed) => void;
}

/** The seed of version 2, which is replaced when the service has another key. */
export class Seeds {
  readonly #options: SeedOptions;
  #current: CurrentSeed | undefined;
  /** Monotonic time in milliseconds. */
  #usableUntil = 0;

  constructor(options: SeedOptions) {
    this.#options = options;
  }

  /** The last seed, even if it may no longer encrypt. */
  get last(): CurrentSeed | undefined {
    return this.#current;
  }

  /** Undefined when the key of the service was not confirmed lately. */
  get usable(): CurrentSeed | undefined {
    return this.#options.env.clock.monotonic() < this.#usableUntil ? this.#current : undefined;
  }

  /** Reads the status of the service, and makes a seed for another key. Rejects when the service is not healthy. */
  async refresh(): Promise<void> {
    const { client, env } = this.#options;
    const usableUntil = env.clock.monotonic() + MAX_USE_MS;
    const status = await client.call(statusV2, {});
    const problem = this.#problemOf(status);
    if (problem !== undefined) throw this.#error(problem);
    if (this.#current?.source.keyId !== status.keyId) this.#use(await this.#make(status.keyId));
    this.#usableUntil = usableUntil;
    if (status.healthz !== 'ok') throw this.#error(`reports ${JSON.stringify(status.healthz.slice(0, 300))}`);
  }

  #problemOf({ version, keyId }: PluginStatus): string | undefined {
    const { metrics } = this.#options;
    if (!versions.has(version))
      return `has the version ${JSON.stringify(version.slice(0, 30))} instead of v2`;
    const problem = problemOfKeyId(keyId);
    if (problem === undefined) metrics.keyId(hashOf(keyId));
    else metrics.invalidKeyId(keyId === '' ? 'empty' : 'too_long');
    return problem === undefined ? undefined : `reports ${problem}`;
  }

  async #make(keyId: string): Promise<CurrentSeed> {
    const { client, env, metrics } = this.#options;
    const seed = metrics.generate((count) => env.random.bytes(count), SEED_BYTES);
    const wrapped = await client.call(encryptV2, { plaintext: seed, uid: env.random.uuid() });
    const problem = problemOf(wrapped);
    if (problem !== undefined) throw this.#error(`returns ${problem}`);
    if (wrapped.keyId !== keyId) throw this.#error('encrypts with another key than that of its status');
    const source: WrappedSource = { type: 'seed', ...wrapped };
    const writer = new ProtoWriter();
    writeSource(writer, source);
    return { cipher: new SeedCipher(seed, env.random), source, encoded: Buffer.from(writer.finish()) };
  }

  #use(seed: CurrentSeed): void {
    const { env, client, changed } = this.#options;
    this.#current = seed;
    changed(seed);
    env.log.info(`${client.what} has a key, which encrypts now`, { keyIdHash: hashOf(seed.source.keyId) });
  }

  #error(problem: string): KeyServiceError {
    return new KeyServiceError(`${this.#options.client.what} ${problem}`, { isTemporary: true });
  }
}

/** Key ids may be names that an operator keeps private. */
const hashOf = (keyId: string): string => `sha256:${createHash('sha256').update(keyId).digest('hex')}`;
