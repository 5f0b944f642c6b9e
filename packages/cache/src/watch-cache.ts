import type { MessagePort } from 'node:worker_threads';
import type { Clock, Env } from '@orch/machinery';
import {
  abortable,
  DeadlineExceeded,
  type Deferred,
  deferred,
  Semaphore,
  sleep,
  withDeadline,
} from '@orch/machinery/concurrency';
import { prefixRange, type Revision, type Store, StoreError, type StoreRoute } from '@orch/storage';
import { FollowedFeed } from './feed/followed-feed.ts';
import type { ObjectFeed } from './feed/object-feed.ts';
import { type JoinedPart, JoinedWatchCache, routeOf } from './joined-watch-cache.ts';
import { type CacheMetrics, type CacheSizes, cacheMetrics, sumOf } from './metrics.ts';
import { EncodingBudget } from './objects/encoding-cache.ts';
import type { ObjectSource } from './objects/object-source.ts';
import { ownMemory } from './objects/slab.ts';
import { DEFAULT_OPTIONS, type WatchCacheOptions } from './options.ts';
import type { ResourceContext } from './resource/resource-context.ts';
import { SnapshotBudget } from './resource/resource-snapshots.ts';
import { ResourceTable } from './resource/resource-table.ts';
import { ResourceWatchCache } from './resource/resource-watch-cache.ts';
import type { StateContext } from './resource/state-context.ts';
import { CorruptObjects } from './sync/corrupt-objects.ts';
import { QuorumReads, type QuorumReadsOptions } from './sync/quorum-reads.ts';
import { Reflector } from './sync/reflector.ts';
import { RevisionBarrier } from './sync/revision-barrier.ts';
import type { SharedProgress } from './sync/shared-progress.ts';
import type { SyncContext } from './sync/sync-context.ts';
import { Verifier } from './sync/verifier.ts';
import type { CachedResource, CacheFigures, DigestResult, ResourceCache, WatchCache } from './types.ts';
import { EncodedEventBudget } from './watch/encoded-event-budget.ts';
import { HistoryBudget } from './watch/event-history.ts';
import { FlushScheduler } from './watch/flush-scheduler.ts';

/** How a cache and those of other threads over the same store share objects. */
export interface ThreadLinks {
  /** Passes states and events to the caches of further threads: the bytes of objects are in memory that they read. */
  readonly feed?: ObjectFeed;
  /** States and events come from the feed of another thread, to which the other end of this port is connected. */
  readonly followed?: MessagePort;
  /** Receives the revisions that this cache reaches, beside those of the caches of other threads. */
  readonly progress?: Pick<SharedProgress, 'reached' | 'stopped'>;
}

export interface WatchCacheConfig extends ThreadLinks {
  readonly store: Store;
  /** The registry prefix, ending with a slash; prefixes of resources begin with it. */
  readonly prefix: string;
  readonly resources: readonly CachedResource[];
  readonly env: Env;
  readonly options?: Partial<WatchCacheOptions>;
  /** Other stores, with the resources whose prefixes begin with these. */
  readonly routes?: readonly (StoreRoute & ThreadLinks)[];
}

/** A watch cache that is empty until `run` is called: one for each store, which are joined. */
export function createWatchCache(config: WatchCacheConfig): WatchCache {
  const { routes = [], feed: _feed, followed: _followed, progress: _progress, ...common } = config;
  const parts: JoinedPart<WatchCacheImpl>[] = [];
  const metrics = cacheMetrics(config.env.metrics, () => sumOf(parts.map(({ cache }) => cache.sizes())));
  const ofStore = ({ prefixes, ...own }: StoreRoute & ThreadLinks): JoinedPart<WatchCacheImpl> => {
    const resources = config.resources.filter(({ prefix }) => routeOf(routes, prefix)?.store === own.store);
    return { prefixes, cache: new WatchCacheImpl({ ...common, ...own, resources, metrics }) };
  };
  const others = config.resources.filter(({ prefix }) => routeOf(routes, prefix) === undefined);
  const main = new WatchCacheImpl({ ...config, resources: others, metrics });
  parts.push({ prefixes: [], cache: main }, ...routes.map(ofStore));
  return routes.length === 0 ? main : new JoinedWatchCache(main, parts.slice(1));
}

interface PartConfig extends Omit<WatchCacheConfig, 'routes'> {
  readonly metrics: CacheMetrics;
}

const TICK_MS = 1000;
const HASH_SEEDS = 2 ** 32;
/** Age at which encoded events are dropped; by then all watchers that are not behind have received them. */
const ENCODED_EVENT_MS = 10_000;

class WatchCacheImpl implements WatchCache, ResourceContext, SyncContext {
  readonly store: Store;
  readonly source: ObjectSource;
  readonly feed: ObjectFeed | undefined;
  readonly repacksElsewhere: ((resource: CachedResource) => void) | undefined;
  readonly env: Env;
  readonly options: WatchCacheOptions;
  readonly shared: StateContext;
  readonly snapshots: SnapshotBudget;
  readonly barrier: RevisionBarrier;
  readonly quorum: QuorumReads;
  readonly flushes: FlushScheduler;
  readonly metrics: CacheMetrics;
  readonly historicLists: Semaphore;
  readonly catchUps: Semaphore;
  readonly #stop = new AbortController();
  readonly #table: ResourceTable;
  readonly #followed: FollowedFeed | undefined;
  readonly #progress: WatchCacheConfig['progress'];
  readonly #reflector: Reflector;
  readonly #verifier: Verifier;
  readonly #corruptObjects: CorruptObjects;
  /** Rejected by errors that no retry can resolve. */
  readonly #fatal: Deferred<never> = deferred();
  #running = false;
  #draining = false;

  constructor(config: PartConfig) {
    const { store, env, prefix } = config;
    const options = { ...DEFAULT_OPTIONS, ...config.options };
    this.store = store;
    this.env = env;
    this.options = options;
    this.feed = config.feed;
    this.#progress = config.progress;
    this.barrier = new RevisionBarrier((rev) => config.progress?.reached(rev));
    this.#table = new ResourceTable(prefix);
    this.#followed = this.#follow(config);
    this.source = this.#followed ?? store;
    const followed = this.#followed;
    this.repacksElsewhere = followed && ((resource) => followed.scattered(resource));
    // It ends `run`, which may have ended before.
    this.#fatal.promise.catch(() => undefined);
    this.flushes = new FlushScheduler(env, (error) =>
      env.log.error('a watch failed', { error: String(error) }),
    );
    this.metrics = config.metrics;
    this.shared = this.#makeShared();
    this.snapshots = new SnapshotBudget(options.maxSnapshots, options.snapshotBytes);
    this.historicLists = new Semaphore(options.maxStoreReads);
    this.catchUps = new Semaphore(options.maxStoreReads);
    this.#verifier = new Verifier(this, this.#table, prefix);
    this.#corruptObjects = new CorruptObjects(this, this.#table);
    this.quorum = new QuorumReads({
      store,
      barrier: this.barrier,
      clock: env.clock,
      consistentWaitMs: options.consistentWaitMs,
      progressMs: options.progressMs,
      lagging: (rev, signal) => this.#proveCurrent(rev, signal),
      ...this.#behind(),
      wentBack: (error) => this.#fatal.reject(error),
    });
    this.#reflector = new Reflector(this, this.#table, prefixRange(prefix));
    for (const resource of config.resources) this.#table.add(new ResourceWatchCache(resource, this));
    this.feed?.begin({
      resources: this.#table,
      revision: () => this.barrier.revision,
      ready: () => this.#reflector.ready,
      repack: (resourcePrefix) => this.#table.get(resourcePrefix)?.repack(),
      // Its answer lets the watch of the store know of the revision.
      reach: () => void store.currentRevision(this.signal).catch(() => undefined),
    });
    env.metrics.onCollect(() => {
      for (const { resource, history, state } of this.#table) {
        this.metrics.history(resource, history.length);
        this.metrics.unreadable(resource, state.unreadableCount);
      }
    });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  resource(nameOrPrefix: string): ResourceCache | undefined {
    return this.#table.get(nameOrPrefix);
  }

  revision(): Revision {
    return this.barrier.revision;
  }

  isReady(): boolean {
    return this.#reflector.loaded;
  }

  async ready(signal: AbortSignal): Promise<void> {
    await abortable(this.#reflector.ready, signal);
  }

  draining(): boolean {
    return this.#draining;
  }

  async addResource(resource: CachedResource, signal: AbortSignal): Promise<ResourceCache> {
    const cache = new ResourceWatchCache(resource, this);
    this.#table.add(cache);
    this.#reflector.addResource(cache);
    if (!cache.loaded) await cache.whenLoaded(signal);
    return cache;
  }

  removeResource(nameOrPrefix: string): void {
    const cache = this.#table.get(nameOrPrefix);
    if (cache === undefined) return;
    this.#table.remove(cache);
    this.metrics.history(cache.resource, 0);
    this.metrics.unreadable(cache.resource, 0);
    cache.close();
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#running) throw new Error('the watch cache runs already');
    this.#running = true;
    const stop = (): void => this.#stop.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const cancelTicks = this.#tickEverySecond(this.env.clock);
    const reflecting = this.#reflector.run(this.signal);
    const verifying = this.#verifyPeriodically();
    try {
      await Promise.race([reflecting, this.#fatal.promise]);
    } finally {
      cancelTicks();
      signal.removeEventListener('abort', stop);
      this.#stop.abort(new Error('the watch cache stopped'));
      this.drain();
      this.feed?.close();
      this.#followed?.close();
      this.#progress?.stopped();
      await Promise.allSettled([reflecting, verifying]);
    }
  }

  drain(): void {
    this.#draining = true;
    for (const cache of this.#table) cache.drain();
  }

  bookmark(): void {
    for (const cache of this.#table) cache.bookmark();
  }

  figures(): readonly CacheFigures[] {
    return Array.from(this.#table, (cache) => ({
      resource: cache.resource.name,
      isLoaded: cache.loaded,
      revision: cache.revision(),
      objects: cache.count(),
      bytes: cache.bytes(),
      events: cache.history.length,
      watchers: cache.watchers.size,
    }));
  }

  async verify(signal: AbortSignal): Promise<DigestResult> {
    await this.ready(signal);
    return this.#verifier.verify(signal);
  }

  async readCorruptAgain(signal: AbortSignal): Promise<number> {
    await this.ready(signal);
    return this.#corruptObjects.readAgain(signal);
  }

  async reachFuture(rev: Revision, signal: AbortSignal): Promise<void> {
    if (this.barrier.revision >= rev) return;
    using limit = withDeadline(signal, this.env.clock, this.options.futureWaitMs);
    try {
      await this.barrier.reach(rev, limit.signal);
    } catch (error) {
      if (!(error instanceof DeadlineExceeded) || signal.aborted) throw error;
      throw new StoreError(
        'futureRevision',
        `revision ${rev} is not there yet; the cache is at ${this.barrier.revision}`,
      );
    }
  }

  /** A revision written outside of the prefix causes no event. A comparison with the store proves that none is missing. */
  async #proveCurrent(rev: Revision, signal: AbortSignal): Promise<void> {
    if (await this.#verifier.sameAt(rev, signal)) this.barrier.sameStateAt(rev);
  }

  async #verifyPeriodically(): Promise<void> {
    const { digestMs } = this.options;
    if (digestMs <= 0) return;
    const { clock, random, log } = this.env;
    const pause = (): Promise<boolean> =>
      sleep(clock, digestMs / 2 + random.int(digestMs), this.signal).then(
        () => true,
        () => false,
      );
    while (await pause()) {
      if (!this.#reflector.loaded) continue;
      await this.verify(this.signal).catch((error: unknown) => {
        if (this.signal.aborted) return;
        this.metrics.digest('failed');
        log.warn('the watch cache could not be compared with the store', { error: String(error) });
      });
    }
  }

  /** Sends bookmarks, ends stalled watchers and expires what is too old. */
  #tickEverySecond(clock: Clock): () => void {
    const { historyMs } = this.options;
    const tick = (): void => {
      const now = clock.monotonic();
      this.shared.histories.expire(now - historyMs);
      this.snapshots.expire(now - historyMs);
      this.shared.encodedEvents.expire(now - ENCODED_EVENT_MS);
      for (const cache of this.#table) cache.tick(now);
      cancel = clock.schedule(TICK_MS, tick);
    };
    let cancel = clock.schedule(TICK_MS, tick);
    return () => cancel();
  }

  #follow({ followed: port, store }: PartConfig): FollowedFeed | undefined {
    if (port === undefined) return undefined;
    const table = this.#table;
    const resources = (): Iterable<CachedResource> => Array.from(table, ({ resource }) => resource);
    return new FollowedFeed({ port, store, resources });
  }

  #behind(): Partial<Pick<QuorumReadsOptions, 'behind'>> {
    const followed = this.#followed;
    return followed === undefined ? {} : { behind: (rev) => followed.behind(rev) };
  }

  #makeShared(): StateContext {
    const { env, options, metrics, feed } = this;
    return {
      histories: new HistoryBudget(options.historyBytes),
      encodedEvents: new EncodedEventBudget(options.encodedEventBytes),
      encodings: new EncodingBudget(options.encodingBytes),
      seed: env.random.int(HASH_SEEDS),
      memory: () => feed?.slabs.memory() ?? ownMemory,
      monotonic: () => env.clock.monotonic(),
      corruptObject(resource, key, error) {
        metrics.corrupt(resource);
        env.log.error('a stored object cannot be read', {
          resource: resource.name,
          key,
          error: String(error),
        });
      },
    };
  }

  sizes(): CacheSizes {
    let objectBytes = 0;
    let slabBytes = 0;
    for (const { state } of this.#table) {
      objectBytes += state.arena.liveBytes;
      slabBytes += state.arena.usedBytes;
    }
    return {
      objectBytes,
      slabBytes,
      historyBytes: this.shared.histories.weight,
      snapshotBytes: this.snapshots.bytes,
      encodingBytes: this.shared.encodings.bytes,
      encodedEventBytes: this.shared.encodedEvents.bytes,
    };
  }
}
