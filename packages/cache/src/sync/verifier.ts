import { withDeadline, yieldToEventLoop } from '@orch/machinery/concurrency';
import { type KvEvent, prefixRange, type Revision } from '@orch/storage';
import type { ResourceTable } from '../resource/resource-table.ts';
import type { ResourceWatchCache } from '../resource/resource-watch-cache.ts';
import type { DigestResult } from '../types.ts';
import type { CacheEvent } from '../watch/cache-event.ts';
import { endRepaired } from './repair.ts';
import { StateComparison } from './state-comparison.ts';
import type { SyncContext } from './sync-context.ts';

interface Differences {
  readonly compared: number;
  readonly keys: ReadonlyMap<ResourceWatchCache, readonly string[]>;
}

/** Compares the caches with the store by key and revision, and repairs differences. */
export class Verifier {
  readonly #context: SyncContext;
  readonly #table: ResourceTable;
  readonly #prefix: string;

  constructor(context: SyncContext, table: ResourceTable, prefix: string) {
    this.#context = context;
    this.#table = table;
    this.#prefix = prefix;
  }

  /** Compares at the cache's own revision, so that the cache continues to apply events meanwhile. */
  async verify(signal: AbortSignal): Promise<DigestResult> {
    const rev = this.#context.barrier.revision;
    const { compared, keys } = await this.#compare(rev, signal);
    let mismatches = 0;
    for (const [cache, differing] of keys) {
      if (differing.length === 0) continue;
      mismatches += differing.length;
      this.#context.metrics.mismatches(cache.resource, differing.length);
      this.#context.env.log.error('the watch cache differs from the store', {
        resource: cache.resource.name,
        keys: differing.slice(0, 10),
        count: differing.length,
        revision: rev,
      });
      await this.#repair(cache, differing, signal);
    }
    this.#context.metrics.digest(mismatches === 0 ? 'match' : 'mismatch');
    return { rev, compared, mismatches };
  }

  /**
   * Reports whether the cache's current state equals the store's state at `rev`, which the watch has not reached. If it does, a
   * read at `rev` may be served: the revision was written outside of the prefix and causes no event.
   */
  async sameAt(rev: Revision, signal: AbortSignal): Promise<boolean> {
    const { barrier } = this.#context;
    const before = barrier.revision;
    const { keys } = await this.#compare(rev, signal);
    // If an event arrived meanwhile, the compared state is no longer the current one.
    if (barrier.revision !== before) return false;
    for (const differing of keys.values()) if (differing.length > 0) return false;
    return true;
  }

  async #compare(at: Revision, signal: AbortSignal): Promise<Differences> {
    const comparisons = new Map<ResourceWatchCache, StateComparison>();
    for (const cache of this.#table) {
      if (cache.loaded) comparisons.set(cache, new StateComparison(cache.state.tree.snapshot()));
    }
    const { store, options } = this.#context;
    const scan = { at, byteBudget: options.pageBytes, keysOnly: true };
    for await (const { items } of store.scan(prefixRange(this.#prefix), scan, signal)) {
      for (const kv of items) {
        const cache = this.#table.route(kv.key);
        const comparison = cache === undefined ? undefined : comparisons.get(cache);
        if (cache !== undefined) comparison?.add(kv.key.slice(cache.resource.prefix.length), kv.modRevision);
      }
      await yieldToEventLoop();
    }
    let compared = 0;
    const keys = new Map<ResourceWatchCache, readonly string[]>();
    for (const [cache, comparison] of comparisons) {
      compared += comparison.compared;
      keys.set(cache, comparison.finish());
    }
    return { compared, keys };
  }

  /** Reads the keys again and repairs the cache. */
  async #repair(cache: ResourceWatchCache, keys: readonly string[], signal: AbortSignal): Promise<void> {
    const fixes: KvEvent[] = [];
    for (const key of keys) {
      const full = `${cache.resource.prefix}${key}`;
      const { rev, kv } = await this.#context.store.get(full, signal);
      // Changes up to this revision arrive as events.
      await this.#reach(kv?.modRevision ?? rev, signal);
      fixes.push(kv === undefined ? { type: 'delete', key: full, modRevision: rev } : { type: 'put', kv });
    }
    const changes: CacheEvent[] = [];
    for (const fix of fixes) {
      const current = cache.state.get(
        (fix.type === 'put' ? fix.kv.key : fix.key).slice(cache.resource.prefix.length),
      );
      // The key was written after this read.
      if (fix.type === 'delete' && (current?.rev ?? 0) > fix.modRevision) continue;
      const change = cache.state.apply(fix);
      if (change !== undefined) changes.push(change);
    }
    if (changes.length === 0) return;
    endRepaired(cache, changes, this.#context.barrier.revision);
  }

  async #reach(rev: Revision, signal: AbortSignal): Promise<void> {
    const { barrier, env, options } = this.#context;
    if (barrier.revision >= rev) return;
    using limit = withDeadline(signal, env.clock, options.futureWaitMs);
    // A revision written outside of the prefix may never arrive; the repair is applied after the deadline.
    await barrier.reach(rev, limit.signal).catch(() => signal.throwIfAborted());
  }
}
