import {
  abortable,
  type Clock,
  DeadlineExceeded,
  type Deferred,
  deferred,
  type Env,
  Semaphore,
  sleep,
  withDeadline,
} from '@orch/machinery';
import { prefixRange, type Revision, type Store, StoreError } from '@orch/storage';
import { type CacheMetrics, type CacheSizes, cacheMetrics } from './metrics.ts';
import { RenditionBudget } from './objects/encoding-cache.ts';
import { DEFAULT_OPTIONS, type WatchCacheOptions } from './options.ts';
import type { CacheContext } from './resource/resource-context.ts';
import { SnapshotBudget } from './resource/resource-snapshots.ts';
import { ResourceTable } from './resource/resource-table.ts';
import { LiveResource } from './resource/resource-watch-cache.ts';
import type { Shared } from './resource/shared-budgets.ts';
import { QuorumReads, RevisionGate } from './sync/quorum-reads.ts';
import { Feed } from './sync/reflector.ts';
import { Verifier } from './sync/verifier.ts';
import type { CachedResource, DigestResult, ResourceCache, WatchCache } from './types.ts';
import { FrameBudget } from './watch/cache-event.ts';
import { WindowBudget } from './watch/event-history.ts';
import { TurnSchedule } from './watch/flush-scheduler.ts';

export interface WatchCacheConfig {
  readonly store: Store;
  /** The registry prefix, ending with a slash; prefixes of resources begin with it. */
  readonly prefix: string;
  readonly resources: readonly CachedResource[];
  readonly env: Env;
  readonly options?: Partial<WatchCacheOptions>;
}

/** A watch cache that is empty until `run` is called. */
export function createWatchCache(config: WatchCacheConfig): WatchCache {
  return new ReplicaCache(config);
}

const TICK_MS = 1000;
/** Encoded events are of no use once every watcher that is not behind has them. */
const FRAME_MS = 10_000;

class ReplicaCache implements WatchCache, CacheContext {
  readonly store: Store;
  readonly env: Env;
  readonly options: WatchCacheOptions;
  readonly shared: Shared;
  readonly snapshots: SnapshotBudget;
  readonly gate = new RevisionGate();
  readonly quorum: QuorumReads;
  readonly turns: TurnSchedule;
  readonly metrics: CacheMetrics;
  readonly historicLists: Semaphore;
  readonly catchUps: Semaphore;
  readonly #stop = new AbortController();
  readonly #table: ResourceTable;
  readonly #feed: Feed;
  readonly #verifier: Verifier;
  readonly #loads = new WeakMap<LiveResource, Deferred<void>>();
  /** Rejected by what no retry can mend. */
  readonly #fatal: Deferred<never> = deferred();
  #running = false;
  #draining = false;

  constructor(config: WatchCacheConfig) {
    const { store, env, prefix } = config;
    const options = { ...DEFAULT_OPTIONS, ...config.options };
    this.store = store;
    this.env = env;
    this.options = options;
    // It ends `run`; nothing else waits for it, and `run` may be over.
    this.#fatal.promise.catch(() => undefined);
    this.turns = new TurnSchedule(env.clock, (error) =>
      env.log.error('a watch failed', { error: String(error) }),
    );
    this.metrics = cacheMetrics(env.metrics, () => this.#sizes());
    this.shared = this.#makeShared();
    this.snapshots = new SnapshotBudget(options.maxSnapshots, options.snapshotBytes);
    this.historicLists = new Semaphore(options.maxStoreReads);
    this.catchUps = new Semaphore(options.maxStoreReads);
    this.#table = new ResourceTable(prefix);
    this.#verifier = new Verifier(this, this.#table, prefix);
    this.quorum = new QuorumReads({
      store,
      gate: this.gate,
      clock: env.clock,
      consistentWaitMs: options.consistentWaitMs,
      progressMs: options.progressMs,
      lagging: (rev, signal) => this.#proveCurrent(rev, signal),
      wentBack: (error) => this.#fatal.reject(error),
    });
    this.#feed = new Feed(this, this.#table, prefixRange(prefix), (live) => this.#loadOf(live).resolve());
    for (const resource of config.resources) this.#table.add(new LiveResource(resource, this));
    env.metrics.onCollect(() => {
      for (const live of this.#table) this.metrics.history(live.resource, live.window.length);
    });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  resource(nameOrPrefix: string): ResourceCache | undefined {
    return this.#table.get(nameOrPrefix);
  }

  revision(): Revision {
    return this.gate.revision;
  }

  isReady(): boolean {
    return this.#feed.loaded;
  }

  async ready(signal: AbortSignal): Promise<void> {
    await abortable(this.#feed.ready, signal);
  }

  draining(): boolean {
    return this.#draining;
  }

  async loaded(live: LiveResource, signal: AbortSignal): Promise<void> {
    if (!live.loaded) await abortable(this.#loadOf(live).promise, signal);
  }

  async addResource(resource: CachedResource, signal: AbortSignal): Promise<ResourceCache> {
    const live = new LiveResource(resource, this);
    this.#table.add(live);
    this.#feed.addResource(live);
    await this.loaded(live, signal);
    return live;
  }

  removeResource(nameOrPrefix: string): void {
    const live = this.#table.get(nameOrPrefix);
    if (live === undefined) return;
    this.#table.remove(live);
    this.metrics.history(live.resource, 0);
    this.#loadOf(live).reject(new StoreError('unavailable', `${live.resource.name} is not cached any more`));
    live.close();
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#running) throw new Error('the watch cache runs already');
    this.#running = true;
    const stop = (): void => this.#stop.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const cancelTicks = this.#tickEverySecond(this.env.clock);
    const feeding = this.#feed.run(this.signal);
    const verifying = this.#verifyPeriodically();
    try {
      await Promise.race([feeding, this.#fatal.promise]);
    } finally {
      cancelTicks();
      signal.removeEventListener('abort', stop);
      this.#stop.abort(new Error('the watch cache stopped'));
      this.drain();
      await Promise.allSettled([feeding, verifying]);
    }
  }

  drain(): void {
    this.#draining = true;
    for (const live of this.#table) live.drain();
  }

  async verify(signal: AbortSignal): Promise<DigestResult> {
    await this.ready(signal);
    return this.#verifier.verify(signal);
  }

  async reachFuture(rev: Revision, signal: AbortSignal): Promise<void> {
    if (this.gate.revision >= rev) return;
    using limit = withDeadline(signal, this.env.clock, this.options.futureWaitMs);
    try {
      await this.gate.reach(rev, limit.signal);
    } catch (error) {
      if (!(error instanceof DeadlineExceeded) || signal.aborted) throw error;
      throw new StoreError(
        'futureRevision',
        `revision ${rev} is not there yet; the cache is at ${this.gate.revision}`,
      );
    }
  }

  #loadOf(live: LiveResource): Deferred<void> {
    let load = this.#loads.get(live);
    if (load === undefined) {
      load = deferred();
      // Rejected only for those who wait; nobody may.
      load.promise.catch(() => undefined);
      this.#loads.set(live, load);
    }
    return load;
  }

  /** A revision was written outside of the prefix: nothing will come, but only a comparison can tell. */
  async #proveCurrent(rev: Revision, signal: AbortSignal): Promise<void> {
    if (await this.#verifier.sameAt(rev, signal)) this.gate.sameStateAt(rev);
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
      if (!this.#feed.loaded) continue;
      await this.verify(this.signal).catch((error: unknown) => {
        if (this.signal.aborted) return;
        this.metrics.digest('failed');
        log.warn('the watch cache could not be compared with the store', { error: String(error) });
      });
    }
  }

  /** Bookmarks, stalled watchers and everything that grows old. */
  #tickEverySecond(clock: Clock): () => void {
    const { historyMs } = this.options;
    const tick = (): void => {
      const now = clock.monotonic();
      this.shared.windows.expire(now - historyMs);
      this.snapshots.expire(now - historyMs);
      this.shared.frames.expire(now - FRAME_MS);
      for (const live of this.#table) live.tick(now);
      cancel = clock.schedule(TICK_MS, tick);
    };
    let cancel = clock.schedule(TICK_MS, tick);
    return () => cancel();
  }

  #makeShared(): Shared {
    const { env, options, metrics } = this;
    return {
      windows: new WindowBudget(options.windowBytes),
      frames: new FrameBudget(options.frameBytes),
      renditions: new RenditionBudget(options.renditionBytes),
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

  #sizes(): CacheSizes {
    let objectBytes = 0;
    let slabBytes = 0;
    for (const { state } of this.#table) {
      objectBytes += state.arena.liveBytes;
      slabBytes += state.arena.usedBytes;
    }
    return {
      objectBytes,
      slabBytes,
      windowBytes: this.shared.windows.weight,
      snapshotBytes: this.snapshots.bytes,
      renditionBytes: this.shared.renditions.bytes,
      frameBytes: this.shared.frames.bytes,
    };
  }
}
