import { ForwardingStore } from './forwarding-store.ts';
import { compareKeys, type KeyRange, prefixRange, type WatchRange } from './keys.ts';
import type {
  Committed,
  Guard,
  Page,
  Revision,
  ScanOptions,
  ScanPart,
  Store,
  WatchBatch,
  Write,
} from './store.ts';
import { checkGuards } from './store-values.ts';

/** A store with the keys that begin with one of these prefixes. */
export interface StoreRoute {
  readonly store: Store;
  readonly prefixes: readonly string[];
}

/**
 * Several stores by the prefix of keys: those of the routes, and the main store with all other keys. Each has its own
 * revisions. A range belongs to the store of a route if one of its prefixes contains all of it, and to the main store
 * otherwise, which then yields its own keys only. Calls without a key are those of the main store.
 *
 * A guard of a key in another store is read before the commit, and is not part of its transaction.
 */
export class RoutedStore extends ForwardingStore {
  readonly #routes: readonly { readonly store: Store; readonly prefix: string; readonly range: KeyRange }[];

  constructor(main: Store, routes: readonly StoreRoute[]) {
    super(main);
    this.#routes = routes.flatMap(({ store, prefixes }) =>
      prefixes.map((prefix) => ({ store, prefix, range: prefixRange(prefix) })),
    );
  }

  /** The store of a key. */
  storeOf(key: string): Store {
    return this.#routes.find(({ prefix }) => key.startsWith(prefix))?.store ?? this.inner;
  }

  override get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    return this.storeOf(key).get(key, signal);
  }

  override list(range: KeyRange, options: Parameters<Store['list']>[1], signal: AbortSignal): Promise<Page> {
    return this.#storeOfRange(range).list(range, options, signal);
  }

  override scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncIterable<ScanPart> {
    return this.#storeOfRange(range).scan(range, options, signal);
  }

  override watch(range: WatchRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch> {
    return this.#storeOfRange(range).watch(range, after, signal);
  }

  override commit(write: Write, signal: AbortSignal): Promise<Committed> {
    const store = this.storeOf(write.key);
    const { guards } = write;
    return guards === undefined || guards.every(({ key }) => this.storeOf(key) === store)
      ? store.commit(write, signal)
      : this.#commitAcross(store, { ...write, guards }, signal);
  }

  /** All stores, the main one first. */
  get stores(): readonly Store[] {
    return [...new Set([this.inner, ...this.#routes.map(({ store }) => store)])];
  }

  override async close(): Promise<void> {
    await Promise.all(this.stores.map((store) => store.close()));
  }

  async #commitAcross(
    store: Store,
    write: Write & { readonly guards: readonly Guard[] },
    signal: AbortSignal,
  ): Promise<Committed> {
    checkGuards(write);
    const own = write.guards.filter(({ key }) => this.storeOf(key) === store);
    const others = write.guards.filter((guard) => !own.includes(guard));
    const held = await Promise.all(others.map((guard) => this.#holds(guard, signal)));
    if (held.every((holds) => holds)) {
      const { guards: _all, ...alone } = write;
      const committed = await store.commit(own.length === 0 ? alone : { ...alone, guards: own }, signal);
      return withHeldGuards(committed, others);
    }
    const { rev, kv } = await store.get(write.key, signal);
    if (kv?.modRevision === (write.op === 'create' ? undefined : write.expected))
      return { ok: false, rev, guardFailed: true };
    return kv === undefined ? { ok: false, rev } : { ok: false, rev, current: kv };
  }

  async #holds({ key, revision }: Guard, signal: AbortSignal): Promise<boolean> {
    const { kv } = await this.storeOf(key).get(key, signal);
    return kv?.modRevision === revision;
  }

  #storeOfRange({ start, end }: KeyRange): Store {
    const route = this.#routes.find(
      ({ prefix, range }) => start.startsWith(prefix) && compareKeys(end, range.end) <= 0,
    );
    return route?.store ?? this.inner;
  }
}

/** Adds guards that held to those that a store reports, if it does. */
const withHeldGuards = (committed: Committed, guards: readonly Guard[]): Committed =>
  committed.ok || committed.heldGuards === undefined
    ? committed
    : { ...committed, heldGuards: [...committed.heldGuards, ...guards.map(({ key }) => key)] };
