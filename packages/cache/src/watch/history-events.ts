import type { Clock } from '@orch/machinery';
import type { KeyValue, KvEvent, Revision, Store, WatchBatch } from '@orch/storage';
import type { StoredObject } from '../objects/stored-object.ts';
import type { ResourceState } from '../resource/resource-state.ts';
import { rangeOf } from '../resource/store-pages.ts';
import { CacheEvent, type EncodedEventBudget } from './cache-event.ts';

/** Previous states asked of the store at a time. */
const PARALLEL_READS = 32;

export interface HistoryEventsContext {
  readonly store: Store;
  readonly state: ResourceState;
  readonly clock: Clock;
  readonly encodedEvents: EncodedEventBudget;
}

/**
 * Turns the batches of one watch of the store into events with old and new state. The store does not tell old states,
 * so they are read as of just before the first event of a key, and remembered from there on.
 */
export class HistoryEvents {
  readonly #context: HistoryEventsContext;
  readonly #wanted: (key: string) => boolean;
  /** The last state of each key that had an event. */
  readonly #states = new Map<string, StoredObject | undefined>();

  /** `wanted` says which keys somebody is interested in; events of others are left out. */
  constructor(context: HistoryEventsContext, wanted: (key: string) => boolean) {
    this.#context = context;
    this.#wanted = wanted;
  }

  async of(batch: WatchBatch, signal: AbortSignal): Promise<readonly CacheEvent[]> {
    const events: KvEvent[] = [];
    for (const event of batch.events) {
      if (this.#wanted(this.#keyOf(event))) events.push(event);
      // Somebody may come who wants the key; the state known of it is then no longer the last one.
      else this.#states.delete(this.#keyOf(event));
    }
    await this.#readPrevious(events, signal);
    return events.map((event) => this.#next(event)).filter((event) => event !== undefined);
  }

  #next(event: KvEvent): CacheEvent | undefined {
    const { state, clock, encodedEvents } = this.#context;
    const key = this.#keyOf(event);
    const before = this.#states.get(key);
    const after = event.type === 'put' ? state.loose(event.kv) : undefined;
    this.#states.set(key, after);
    if (before === undefined && after === undefined) return undefined;
    return new CacheEvent(revisionOf(event), { before, after }, { at: clock.monotonic(), encodedEvents });
  }

  /** Finds out the states before the first event of each key. */
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
      const some = work.slice(i, i + PARALLEL_READS);
      await Promise.all(
        some.map(async ([key, event]) => {
          const kv = await this.#previous(event, signal);
          this.#states.set(key, kv === undefined ? undefined : this.#context.state.loose(kv));
        }),
      );
    }
  }

  async #previous(event: KvEvent, signal: AbortSignal): Promise<KeyValue | undefined> {
    const key = event.type === 'put' ? event.kv.key : event.key;
    const at = revisionOf(event) - 1;
    const page = await this.#context.store.list(rangeOf(key), { at, limit: 1 }, signal);
    return page.items[0];
  }

  #keyOf(event: KvEvent): string {
    return (event.type === 'put' ? event.kv.key : event.key).slice(
      this.#context.state.resource.prefix.length,
    );
  }
}

function revisionOf(event: KvEvent): Revision {
  return event.type === 'put' ? event.kv.modRevision : event.modRevision;
}
