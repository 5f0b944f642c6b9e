import type { TokenKeys } from '@orch/auth';
import { type Env, messageOf } from '@orch/machinery';
import { sleep, withDeadline } from '@orch/machinery/concurrency';
import { readTokenKeys, type TokenKey } from '@orch/pki/jws';
import type { Store } from '@orch/storage';
import { isWriteRefused } from '../storage/refused-writes.ts';
import {
  MOST_RECORDS,
  type ReadRecords,
  type SharedRecord,
  SharedRecords,
} from '../storage/shared-records.ts';
import { SharedSearch } from './shared-search.ts';

export interface PublishedKeysOptions {
  readonly store: Pick<Store, 'get' | 'list' | 'commit'>;
  /** Prefix of the keys in the store; ends with a slash. */
  readonly prefix: string;
  /** The signing key of this server. */
  readonly own: TokenKey;
  /** Verification keys from flags. */
  readonly known: readonly TokenKey[];
  readonly env: Env;
}

const DAY_MS = 24 * 3_600_000;
/** Time without a server after which a key is removed: it is longer than the lifetime of usual tokens. */
const EXPIRY_MS = 400 * DAY_MS;
const ROUND_MS = 60_000;
/** No token can be issued until the key is published. */
const UNPUBLISHED_ROUND_MS = 5000;
const READ_DEADLINE_MS = 10_000;

/**
 * The public keys of the servers of a cluster for service account tokens, shared in the store: each server generates a
 * signing key, which never leaves it, and accepts the tokens of all others. A key is in the store before its first
 * token is signed, so that every server finds the key of every token.
 */
export class PublishedKeys implements TokenKeys {
  readonly unnamed: readonly TokenKey[];
  readonly #options: PublishedKeysOptions;
  readonly #records: SharedRecords;
  readonly #search: SharedSearch;
  #byId: ReadonlyMap<string, TokenKey>;
  #isPublished = false;

  constructor(options: PublishedKeysOptions) {
    this.#options = options;
    this.#records = new SharedRecords({ ...options, expiryMs: EXPIRY_MS });
    this.unnamed = options.known;
    this.#byId = byId(options.known);
    this.#search = new SharedSearch(options.env, (signal) => this.#read(signal));
  }

  /** The server's key is in the store, so that every server can verify its signatures. */
  get isPublished(): boolean {
    return this.#isPublished;
  }

  withId(id: string): TokenKey | undefined {
    return this.#byId.get(id);
  }

  all(): readonly TokenKey[] {
    return [...this.#byId.values()];
  }

  /** Resolves when all keys published before the call have been read. Concurrent calls share one search. */
  refresh(signal: AbortSignal): Promise<void> {
    return this.#search.refresh(signal);
  }

  /** Publishes the server's key; must be called before a token is signed with it, and periodically afterwards. */
  async publish(signal: AbortSignal): Promise<void> {
    const { own } = this.#options;
    const publicKey = own.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    await this.#records.publish(own.id, { publicKey }, signal);
    this.#isPublished = true;
  }

  /**
   * Publishes the server's key and reads the others: resolves when tokens can be verified. They can be issued, too, unless
   * the store does not accept writes and does not have the key already.
   */
  async start(signal: AbortSignal): Promise<void> {
    const { own, env } = this.#options;
    try {
      await this.publish(signal);
    } catch (error) {
      if (signal.aborted || !isWriteRefused(error)) throw error;
      env.log.warn(
        'the key of service account tokens cannot be published yet: the store does not accept writes',
        {
          error: messageOf(error),
        },
      );
    }
    const { current } = await this.#read(signal);
    this.#isPublished ||= current.some(({ id }) => id === own.id);
  }

  /** Renews the server's key and reads those of others, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options.env;
    for (;;) {
      await sleep(clock, this.#isPublished ? ROUND_MS : UNPUBLISHED_ROUND_MS, signal);
      using deadline = withDeadline(signal, clock, READ_DEADLINE_MS);
      try {
        await this.publish(deadline.signal);
        await this.#removeExpired(await this.#read(deadline.signal), deadline.signal);
      } catch (error) {
        signal.throwIfAborted();
        log.warn('keys of service account tokens cannot be read', { error: messageOf(error) });
      }
    }
  }

  async #read(signal: AbortSignal): Promise<ReadRecords> {
    const { known, env } = this.#options;
    const read = await this.#records.read(signal);
    if (read.more)
      env.log.warn('there are more keys of service account tokens than the limit', { most: MOST_RECORDS });
    // Keys from flags take precedence over shared ones.
    this.#byId = byId([...read.current.flatMap((record) => keyIn(record) ?? []), ...known]);
    return read;
  }

  async #removeExpired({ expired }: ReadRecords, signal: AbortSignal): Promise<void> {
    for (const record of expired) {
      await this.#records.remove(record, signal);
      this.#options.env.log.info(
        'a key of service account tokens was removed: no server has used it for a long time',
        {
          key: record.stored.key,
        },
      );
    }
  }
}

const byId = (keys: readonly TokenKey[]): ReadonlyMap<string, TokenKey> =>
  new Map(keys.map((key) => [key.id, key]));

/** Undefined for a record without a key, or with the wrong id. */
function keyIn({ id, content: { publicKey } }: SharedRecord): TokenKey | undefined {
  if (typeof publicKey !== 'string') return undefined;
  try {
    const [key] = readTokenKeys(publicKey);
    return key?.id === id ? key : undefined;
  } catch {
    return undefined;
  }
}
