import type { Clock } from '@orch/machinery';
import {
  eventKey,
  eventRevision,
  type KeyValue,
  type KvEvent,
  type Store,
  StoreError,
  type WatchBatch,
} from '@orch/storage';
import { rangeOf } from '../objects/keys.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { UnreadableObjectsError } from '../objects/unreadable-objects-error.ts';
import type { CachedResource } from '../types.ts';
import { CacheEvent } from './cache-event.ts';
import type { EncodedEventBudget } from './encoded-event-budget.ts';

/** Previous states read from the store at a time. */
const PARALLEL_READS = 32;

/** Converts stored bytes into objects outside the cache. */
export interface HistoricObjects {
  readonly resource: CachedResource;
  /** An object from the store's history, in separate memory. Throws an `UnreadableObjectsError`. */
  detached(kv: KeyValue): StoredObject;
}

export interface HistoryEventsContext {
  readonly store: Store;
  readonly state: HistoricObjects;
  readonly clock: Clock;
  readonly encodedEvents: EncodedEventBudget;
}

/**
 * Converts the batches of one watch of the store into events with old and new state. The store does not report old
 * states, so the state just before the first event of a key is read from the store, and later ones are kept in memory.
 */
export class HistoryEvents {
  readonly #context: HistoryEventsContext;
  readonly #isWanted: (key: string) => boolean;
  /** The last state of each key that had an event. */
  readonly #states = new Map<string, StoredObject | undefined>();

  /** Events of keys for which `isWanted` returns false are omitted. */
  constructor(context: HistoryEventsContext, isWanted: (key: string) => boolean) {
    this.#context = context;
    this.#isWanted = isWanted;
  }

  async of(batch: WatchBatch, signal: AbortSignal): Promise<readonly CacheEvent[]> {
    const events: KvEvent[] = [];
    for (const event of batch.events) {
      if (this.#isWanted(this.#keyOf(event))) events.push(event);
      // The key may be wanted later, and this state is then no longer its last one.
      else this.#states.delete(this.#keyOf(event));
    }
    await this.#readPrevious(events, signal);
    return events.map((event) => this.#next(event)).filter((event) => event !== undefined);
  }

  #next(event: KvEvent): CacheEvent | undefined {
    const { clock, encodedEvents } = this.#context;
    const key = this.#keyOf(event);
    const before = this.#states.get(key);
    const after = event.type === 'put' ? this.#detached(event.kv) : undefined;
    this.#states.set(key, after);
    if (before === undefined && after === undefined) return undefined;
    return new CacheEvent(eventRevision(event), { before, after }, { at: clock.monotonic(), encodedEvents });
  }

  /** Reads the states before the first event of each key. */
  async #readPrevious(events: readonly KvEvent[], signal: AbortSignal): Promise<void> {
    const unknown = new Map<string, KvEvent>();
    for (const event of events) {
      const key = this.#keyOf(event);
      if (this.#states.has(key) || unknown.has(key)) continue;
      if (event.type === 'put' && event.kv.createRevision === event.kv.modRevision)
        this.#states.set(key, undefined);
      else unknown.set(key, event);
    }
    const work = [...unknown];
    for (let i = 0; i < work.length; i += PARALLEL_READS) {
      const part = work.slice(i, i + PARALLEL_READS);
      await Promise.all(
        part.map(async ([key, event]) => {
          const kv = await this.#previous(event, signal);
          this.#states.set(key, kv === undefined ? undefined : this.#detached(kv));
        }),
      );
    }
  }

  /** A watch cannot resume from before a state that cannot be read: whether it selects that state is unknown. */
  #detached(kv: KeyValue): StoredObject {
    try {
      return this.#context.state.detached(kv);
    } catch (cause) {
      if (!(cause instanceof UnreadableObjectsError)) throw cause;
      throw new StoreError(
        'compacted',
        `the state of ${kv.key} at revision ${kv.modRevision} cannot be read`,
        { cause },
      );
    }
  }

  async #previous(event: KvEvent, signal: AbortSignal): Promise<KeyValue | undefined> {
    const key = eventKey(event);
    const at = eventRevision(event) - 1;
    const page = await this.#context.store.list(rangeOf(key), { at, limit: 1 }, signal);
    return page.items[0];
  }

  #keyOf(event: KvEvent): string {
    return eventKey(event).slice(this.#context.state.resource.prefix.length);
  }
}
