import type { MessagePort } from 'node:worker_threads';
import type { Revision } from '@orch/storage';
import type { SourceEvent } from '../objects/object-source.ts';
import { SharedSlabs } from '../objects/shared-slabs.ts';
import type { ResourceWatchCache } from '../resource/resource-watch-cache.ts';
import { type FedEvent, FeedEncoder } from './encoder.ts';
import { type FedSnapshot, type FeedHost, FeedReader } from './feed-reader.ts';

/** The cost of events that one thread may be behind: an event costs 1, and each KiB that a message carries. */
const MAX_COST = 100_000;

/** The watch cache whose states and events are fed. */
export interface FedCache {
  /** The caches of all resources. */
  readonly resources: Iterable<ResourceWatchCache>;
  revision(): Revision;
  /** Resolves after the first load. */
  ready(): Promise<void>;
  /** Brings the objects of a resource into the order of their keys in memory. */
  repack(prefix: string): void;
  /** Makes the cache learn of a revision. */
  reach(rev: Revision): void;
}

/**
 * Sends the state of the watch cache of the first thread, and all later events, to the watch caches of further threads.
 * The bytes of objects are in slabs that all threads read; messages carry their places (design 0020).
 *
 * A thread asks for a load, and receives the state at one revision and then every event after it, in the order of revisions and
 * without a gap, or is told that it has to load again: when it is too far behind, and when this cache has lost its
 * history.
 */
export class ObjectFeed {
  readonly slabs = new SharedSlabs();
  readonly #maxCost: number;
  readonly #readers = new Set<FeedReader>();
  #cache: FedCache | undefined;
  #events: FedEvent[] = [];

  constructor(maxCost = MAX_COST) {
    this.#maxCost = maxCost;
    this.slabs.onRetired((retired) => {
      for (const reader of this.#readers) reader.retired(retired);
    });
  }

  /** The cache to feed from; must be called before the first `connect`. */
  begin(cache: FedCache): void {
    this.#cache = cache;
  }

  /** Connects a thread, which is the other end of the port, until the port closes. */
  connect(port: MessagePort): void {
    const cache = this.#cache;
    if (cache === undefined) throw new TypeError('no watch cache uses the feed');
    const reader = new FeedReader(port, hostOf(cache), this.#maxCost);
    this.#readers.add(reader);
    port.on('close', () => this.#readers.delete(reader));
  }

  /** Adds an event that was applied; `cache` is undefined when no loaded cache has it. */
  add(event: SourceEvent, cache: ResourceWatchCache | undefined): void {
    if (this.#isUnread()) return;
    this.#events.push(fedEvent(event, cache));
  }

  /** Sends the events since the last call, which are complete up to `rev`. */
  flush(rev: Revision): void {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    if (this.#isUnread()) return;
    const encoder = new FeedEncoder();
    const batch = { rev, events: events.map((event) => encoder.event(event)), encoder };
    for (const reader of this.#readers) reader.batch(batch);
  }

  /** Drops the events since the last `flush`: they will be added again. */
  discard(): void {
    this.#events = [];
  }

  /** The cache has replaced its state without events; every thread does the same. */
  replace(reason: string): void {
    this.discard();
    if (this.#cache === undefined || this.#isUnread()) return;
    const snapshot = snapshotOf(this.#cache);
    for (const reader of this.#readers) reader.lose(reason, snapshot);
  }

  close(): void {
    for (const reader of this.#readers) reader.close();
    this.#readers.clear();
  }

  #isUnread(): boolean {
    for (const reader of this.#readers) if (reader.follows) return false;
    return true;
  }
}

function fedEvent(event: SourceEvent, cache: ResourceWatchCache | undefined): FedEvent {
  if (cache === undefined || event.type === 'delete')
    return { event, resource: undefined, object: undefined };
  const { resource, state } = cache;
  const object = state.get(event.kv.key.slice(resource.prefix.length));
  const isRead = object?.rev === event.kv.modRevision && !object.corrupt;
  return { event, resource, object: isRead ? object : undefined };
}

const hostOf = (cache: FedCache): FeedHost => ({
  ready: () => cache.ready(),
  snapshot: () => snapshotOf(cache),
  repack: (prefix) => cache.repack(prefix),
  reach: (rev) => {
    if (cache.revision() < rev) cache.reach(rev);
  },
});

function snapshotOf(cache: FedCache): FedSnapshot {
  const states = Array.from(cache.resources)
    .filter(({ loaded }) => loaded)
    .map(({ resource, state }) => ({
      resource,
      state: state.tree.snapshot(),
      unreadable: state.unreadable({ prefix: '' }),
    }));
  return { rev: cache.revision(), states };
}
