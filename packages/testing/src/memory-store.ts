import type { Clock } from '@orch/machinery';
import {
  type Committed,
  ModelContent,
  ModelStore,
  type ReadableKeyValue,
  type Revision,
  StoreError,
  type Write,
} from '@orch/storage';

/**
 * The store of a test control plane: in memory, with a state to which it returns. A follower has the content of another store, and
 * gets a content that only it changes when it forks.
 */
export class MemoryStore extends ModelStore {
  readonly #clock: Clock;
  #isFollower = false;

  constructor(clock: Clock, content = new ModelContent()) {
    super({ clock }, content);
    this.#clock = clock;
  }

  /** A store with a content, whose keys expire at their times. */
  static of(content: ModelContent, clock: Clock): MemoryStore {
    const store = new MemoryStore(clock, content);
    store.continueWith(content);
    return store;
  }

  /** A store with the content of this one, now and after later writes, until it forks. It refuses writes until then. */
  follower(clock: Clock): MemoryStore {
    const store = new MemoryStore(clock, this.content);
    store.#isFollower = true;
    return store;
  }

  /**
   * Makes a follower a store with the content of this moment, which is its state for resets. Both share the states of keys that neither
   * has written since; all revisions are kept.
   */
  fork(): void {
    const content = this.content.copy();
    content.mark();
    this.continueWith(content);
    this.#isFollower = false;
  }

  override async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    if (this.#isFollower)
      throw new StoreError('unavailable', 'the control plane does not write before it is forked');
    return super.commit(write, signal);
  }

  override async compact(through: Revision, signal: AbortSignal): Promise<void> {
    if (!this.#isFollower) await super.compact(through, signal);
  }

  /** The current state is the one to which `reset` returns. */
  mark(): void {
    this.content.mark();
  }

  /**
   * Makes the objects as they were, in one revision: objects that were added are deleted, others get their values back. Watches
   * see each difference, so no client has to start again. Versions continue to grow, because clients compare them. The cost is that
   * of the difference, not of the state. Returns the difference.
   */
  reset(): readonly Pick<Write, 'op' | 'key'>[] {
    const { history, rev } = this.content;
    const writes: Write[] = [];
    for (const [key, { kv, expiresAt }] of this.content.changed()) {
      const current = history.read(key, rev);
      if (kv === undefined) {
        if (current !== undefined) writes.push({ op: 'delete', key, expected: current.modRevision });
      } else if (kv.modRevision !== current?.modRevision) {
        writes.push({ op: 'create', key, value: kv.value, ...this.#ttl(expiresAt) });
      }
    }
    if (writes.length > 0) this.commitTogether(writes);
    this.mark();
    return writes;
  }

  get revision(): Revision {
    return this.content.rev;
  }

  /** When a key expires, by the clock; undefined for keys without a ttl. */
  expiresAt(key: string): number | undefined {
    return this.content.expiry.get(key);
  }

  /** The objects of now, in the order of their keys. */
  *objects(): Generator<ReadableKeyValue> {
    yield* this.content.history.scan(everything, this.content.rev);
  }

  #ttl(expiresAt: number | undefined): { readonly ttlSeconds?: number } {
    if (expiresAt === undefined) return {};
    return { ttlSeconds: Math.max(0, expiresAt - this.#clock.now()) / 1000 };
  }
}

const everything = { start: '', end: '\u{10ffff}' };
