import { withDeadline } from '@orch/machinery';
import { type KvEvent, prefixRange, type Revision } from '@orch/storage';
import type { CacheContext } from '../resource/resource-context.ts';
import type { ResourceTable } from '../resource/resource-table.ts';
import type { LiveResource } from '../resource/resource-watch-cache.ts';
import type { DigestResult } from '../types.ts';
import type { CacheEvent } from '../watch/cache-event.ts';
import { nextTurn } from '../watch/flush-scheduler.ts';
import { Comparison } from './state-comparison.ts';

interface Differences {
  readonly compared: number;
  readonly keys: ReadonlyMap<LiveResource, readonly string[]>;
}

/** Compares the caches with the store, key by key and revision by revision, and repairs what differs. */
export class Verifier {
  readonly #context: CacheContext;
  readonly #table: ResourceTable;
  readonly #prefix: string;

  constructor(context: CacheContext, table: ResourceTable, prefix: string) {
    this.#context = context;
    this.#table = table;
    this.#prefix = prefix;
  }

  /** Compares at the cache's own revision, so that nothing has to stand still for it. */
  async verify(signal: AbortSignal): Promise<DigestResult> {
    const rev = this.#context.gate.revision;
    const { compared, keys } = await this.#compare(rev, signal);
    let mismatches = 0;
    for (const [live, differing] of keys) {
      if (differing.length === 0) continue;
      mismatches += differing.length;
      this.#context.metrics.mismatches(live.resource, differing.length);
      this.#context.env.log.error('the watch cache differs from the store', {
        resource: live.resource.name,
        keys: differing.slice(0, 10),
        count: differing.length,
        revision: rev,
      });
      await this.#repair(live, differing, signal);
    }
    this.#context.metrics.digest(mismatches === 0 ? 'match' : 'mismatch');
    return { rev, compared, mismatches };
  }

  /**
   * Is the cache's present state also the store's state at `rev`, which its watch has not come to? True proves that
   * a read at `rev` may be served, though the revision was written outside of the prefix and brings no event.
   */
  async sameAt(rev: Revision, signal: AbortSignal): Promise<boolean> {
    const { gate } = this.#context;
    const before = gate.revision;
    const { keys } = await this.#compare(rev, signal);
    // Had an event come meanwhile, the state compared would no longer be the one that is served.
    if (gate.revision !== before) return false;
    for (const differing of keys.values()) if (differing.length > 0) return false;
    return true;
  }

  async #compare(at: Revision, signal: AbortSignal): Promise<Differences> {
    const comparisons = new Map<LiveResource, Comparison>();
    for (const live of this.#table) {
      if (live.loaded) comparisons.set(live, new Comparison(live.state.tree.snapshot()));
    }
    const { store, options } = this.#context;
    const scan = { at, byteBudget: options.pageBytes, keysOnly: true };
    for await (const { items } of store.scan(prefixRange(this.#prefix), scan, signal)) {
      for (const kv of items) {
        const live = this.#table.route(kv.key);
        const comparison = live === undefined ? undefined : comparisons.get(live);
        if (live !== undefined) comparison?.seen(kv.key.slice(live.resource.prefix.length), kv.modRevision);
      }
      await nextTurn();
    }
    let compared = 0;
    const keys = new Map<LiveResource, readonly string[]>();
    for (const [live, comparison] of comparisons) {
      compared += comparison.compared;
      keys.set(live, comparison.finish());
    }
    return { compared, keys };
  }

  /**
   * Reads the keys again and puts the cache right. Watchers of what changes by it have missed an event: they end with
   * `expired`, and nobody can resume from before.
   */
  async #repair(live: LiveResource, keys: readonly string[], signal: AbortSignal): Promise<void> {
    const fixes: KvEvent[] = [];
    for (const key of keys) {
      const full = `${live.resource.prefix}${key}`;
      const { rev, kv } = await this.#context.store.get(full, signal);
      // What is still on its way comes as an event.
      await this.#reach(kv?.modRevision ?? rev, signal);
      fixes.push(kv === undefined ? { type: 'delete', key: full, modRevision: rev } : { type: 'put', kv });
    }
    const changes: CacheEvent[] = [];
    for (const fix of fixes) {
      const current = live.state.get(
        (fix.type === 'put' ? fix.kv.key : fix.key).slice(live.resource.prefix.length),
      );
      // The key was written after it was read here.
      if (fix.type === 'delete' && (current?.rev ?? 0) > fix.modRevision) continue;
      const change = live.state.apply(fix);
      if (change !== undefined) changes.push(change);
    }
    if (changes.length === 0) return;
    const { revision } = this.#context.gate;
    live.snapshots.clear();
    live.state.beginHistory(revision);
    live.lose(revision, (watcher) => changes.some((change) => watcher.selects(change)));
  }

  async #reach(rev: Revision, signal: AbortSignal): Promise<void> {
    const { gate, env, options } = this.#context;
    if (gate.revision >= rev) return;
    using limit = withDeadline(signal, env.clock, options.futureWaitMs);
    // A revision from outside of the prefix may never come; what is known is applied all the same.
    await gate.reach(rev, limit.signal).catch(() => signal.throwIfAborted());
  }
}
