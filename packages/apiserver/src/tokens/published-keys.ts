import { readTokenKeys, type TokenKey, type TokenKeys } from '@orch/auth';
import { abortable, type Env, errors, isJsonObject, parseJson, sleep, withDeadline } from '@orch/machinery';
import { messageOf } from '@orch/program';
import { type KeyValue, prefixRange, type Store } from '@orch/storage';

export interface PublishedKeysOptions {
  readonly store: Pick<Store, 'get' | 'list' | 'commit'>;
  /** What the keys in the store begin with, a slash at its end. */
  readonly prefix: string;
  /** The key that this server signs with. */
  readonly own: TokenKey;
  /** What this server checks with anyway. */
  readonly known: readonly TokenKey[];
  readonly env: Env;
}

const day = 24 * 3_600_000;
/** A key that no server has used for so long signed nothing that would still be good, but for what was to live longer. */
const FORGOTTEN_MS = 400 * day;
const RENEWED_MS = day;
const ROUND_MS = 60_000;
const READ_DEADLINE_MS = 10_000;
/** Searches for unknown keys begin at least so far apart: anybody can name a key that does not exist. */
const SEARCH_GAP_MS = 1000;
const MOST_WAITING = 256;
const MOST_KEYS = 1000;

interface Published {
  readonly key: TokenKey;
  readonly seenAt: number;
  readonly stored: KeyValue;
}

/**
 * The public keys that the servers of a cluster sign tokens with, told to each other in the store: each server makes a
 * key of its own, which never leaves it, and accepts the tokens of all others. A key is in the store before its first
 * token is signed, so that whoever sees a token finds its key.
 */
export class PublishedKeys implements TokenKeys {
  readonly unnamed: readonly TokenKey[];
  readonly #options: PublishedKeysOptions;
  #byId: ReadonlyMap<string, TokenKey>;
  #next: Promise<void> | undefined;
  #waiting = 0;
  #lastSearch = Number.NEGATIVE_INFINITY;

  constructor(options: PublishedKeysOptions) {
    this.#options = options;
    this.unnamed = options.known;
    this.#byId = byId(options.known);
  }

  withId(id: string): TokenKey | undefined {
    return this.#byId.get(id);
  }

  all(): readonly TokenKey[] {
    return [...this.#byId.values()];
  }

  /** Resolves when everything is known that was published before the call. All who wait share one search. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (this.#waiting >= MOST_WAITING)
      throw errors.tooManyRequests('too many tokens with keys that are not known; please try again', 1);
    this.#next ??= Promise.resolve().then(() => this.#search());
    this.#waiting++;
    try {
      await abortable(this.#next, signal);
    } finally {
      this.#waiting--;
    }
  }

  async #search(): Promise<void> {
    const { clock } = this.#options.env;
    using deadline = withDeadline(new AbortController().signal, clock, READ_DEADLINE_MS);
    try {
      const wait = this.#lastSearch + SEARCH_GAP_MS - clock.monotonic();
      if (wait > 0) await sleep(clock, wait, deadline.signal);
    } finally {
      // Who comes from now on may look for what this search does not see any more.
      this.#next = undefined;
      this.#lastSearch = clock.monotonic();
    }
    await this.#read(deadline.signal);
  }

  /** Makes the own key known; to be called before anything is signed with it, and now and then from then on. */
  async publish(signal: AbortSignal): Promise<void> {
    const { store, prefix, own, env } = this.#options;
    const key = `${prefix}${own.id}`;
    const { kv } = await store.get(key, signal);
    const published = kv === undefined ? undefined : readPublished(kv, prefix);
    if (published !== undefined && env.clock.now() - published.seenAt < RENEWED_MS) return;
    const value = Buffer.from(
      JSON.stringify({
        publicKey: own.publicKey.export({ type: 'spki', format: 'pem' }),
        seenAt: new Date(env.clock.now()).toISOString(),
      }),
    );
    // A lost race is won by a server with the same key.
    await store.commit(
      kv === undefined
        ? { op: 'create', key, value }
        : { op: 'update', key, value, expected: kv.modRevision },
      signal,
    );
  }

  /** Publishes, and reads what others have: resolves when tokens can be made and checked. */
  async start(signal: AbortSignal): Promise<void> {
    await this.publish(signal);
    await this.#read(signal);
  }

  /** Keeps the own key known and follows those of others, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options.env;
    for (;;) {
      await sleep(clock, ROUND_MS, signal);
      using deadline = withDeadline(signal, clock, READ_DEADLINE_MS);
      try {
        await this.publish(deadline.signal);
        await this.#forget(await this.#read(deadline.signal), deadline.signal);
      } catch (error) {
        signal.throwIfAborted();
        log.warn('keys of service account tokens cannot be followed', { error: messageOf(error) });
      }
    }
  }

  async #read(signal: AbortSignal): Promise<readonly Published[]> {
    const { store, prefix, known, env } = this.#options;
    const { items, more } = await store.list(prefixRange(prefix), { limit: MOST_KEYS }, signal);
    if (more)
      env.log.warn('there are more keys of service account tokens than are read', { most: MOST_KEYS });
    const all = items.flatMap((item) => readPublished(item, prefix) ?? []);
    const now = env.clock.now();
    const current = all.filter(({ seenAt }) => now - seenAt < FORGOTTEN_MS).map(({ key }) => key);
    // What this server was told of counts more than what others say of it.
    this.#byId = byId([...current, ...known]);
    return all;
  }

  async #forget(published: readonly Published[], signal: AbortSignal): Promise<void> {
    const { store, env } = this.#options;
    for (const { seenAt, stored } of published) {
      if (env.clock.now() - seenAt < FORGOTTEN_MS) continue;
      await store.commit({ op: 'delete', key: stored.key, expected: stored.modRevision }, signal);
      env.log.info('a key of service account tokens is forgotten: no server has used it for long', {
        key: stored.key,
      });
    }
  }
}

const byId = (keys: readonly TokenKey[]): ReadonlyMap<string, TokenKey> =>
  new Map(keys.map((key) => [key.id, key]));

/** What is not a key under its own id is nothing. */
function readPublished(stored: KeyValue, prefix: string): Published | undefined {
  try {
    const value = parseJson(stored.value);
    const { publicKey, seenAt } = isJsonObject(value) ? value : {};
    if (typeof publicKey !== 'string' || typeof seenAt !== 'string') return undefined;
    const [key] = readTokenKeys(publicKey);
    const time = Date.parse(seenAt);
    return key === undefined || `${prefix}${key.id}` !== stored.key || Number.isNaN(time)
      ? undefined
      : { key, seenAt: time, stored };
  } catch {
    return undefined;
  }
}
