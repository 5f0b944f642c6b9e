import type { ResourceTable } from '../resource/resource-table.ts';
import type { ResourceWatchCache } from '../resource/resource-watch-cache.ts';
import type { CacheEvent } from '../watch/cache-event.ts';
import { endRepaired } from './repair.ts';
import type { SyncContext } from './sync-context.ts';

/** Objects that are read again before the cache uses them. */
const BATCH = 500;

/** Objects whose bytes could not be read, and that may be readable now, as when a lost key is configured again. */
export class CorruptObjects {
  readonly #context: SyncContext;
  readonly #table: ResourceTable;

  constructor(context: SyncContext, table: ResourceTable) {
    this.#context = context;
    this.#table = table;
  }

  /** Reads them again, one after the other, and returns how many are readable now. */
  async readAgain(signal: AbortSignal): Promise<number> {
    let readable = 0;
    for (const cache of [...this.#table]) {
      if (!cache.loaded) continue;
      const keys = cache.state.corruptKeys();
      for (let at = 0; at < keys.length; at += BATCH)
        readable += await this.#readBatch(cache, keys.slice(at, at + BATCH), signal);
    }
    return readable;
  }

  async #readBatch(cache: ResourceWatchCache, keys: readonly string[], signal: AbortSignal): Promise<number> {
    const { store, barrier } = this.#context;
    const changes: CacheEvent[] = [];
    try {
      for (const key of keys) {
        const { kv } = await store.get(`${cache.resource.prefix}${key}`, signal);
        // Another revision of it arrives as an event.
        const change = kv === undefined ? undefined : cache.state.replaceCorrupt(kv);
        if (change !== undefined) changes.push(change);
      }
    } finally {
      if (changes.length > 0) endRepaired(cache, changes, barrier.revision);
    }
    return changes.length;
  }
}
