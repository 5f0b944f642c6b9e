import type { StoredObject } from '../objects/stored-object.ts';
import type { ObjectFilter, Scope } from '../types.ts';
import type { CacheEvent } from './cache-event.ts';

/** A watcher that is offered each event as it arrives. */
export interface EventSubscriber {
  readonly scope: Scope;
  readonly filter: ObjectFilter;
  offer(event: CacheEvent): void;
  /** An offer threw, so the watcher has missed an event. */
  offerFailed(error: unknown): void;
}

type Bucket = Set<EventSubscriber>;

/**
 * Live watchers of one resource by their selection, each in exactly one bucket: one key, one value of a field, one
 * namespace, or everything. An event is offered only to the buckets that its old and new state belong to.
 */
export class WatcherIndex {
  readonly #positions: ReadonlyMap<string, number>;
  readonly #all: Bucket = new Set();
  readonly #byKey = new Map<string, Bucket>();
  readonly #byNamespace = new Map<string, Bucket>();
  readonly #byField = new Map<number, Map<string, Bucket>>();

  /** `preferred` fields are those with few objects per value. */
  readonly #preferred: readonly string[];

  constructor(selectableFields: readonly string[], preferred: readonly string[]) {
    this.#positions = new Map(selectableFields.map((field, i) => [field, i]));
    this.#preferred = preferred;
  }

  add(watcher: EventSubscriber): void {
    const { map, key } = this.#place(watcher);
    if (map === undefined) {
      this.#all.add(watcher);
      return;
    }
    const bucket = map.get(key);
    if (bucket === undefined) map.set(key, new Set([watcher]));
    else bucket.add(watcher);
  }

  remove(watcher: EventSubscriber): void {
    const { map, key } = this.#place(watcher);
    const bucket = map === undefined ? this.#all : map.get(key);
    bucket?.delete(watcher);
    if (map !== undefined && bucket?.size === 0) map.delete(key);
  }

  /** Number of watchers that every event of a key is offered to, independent of its fields. */
  watcherCount(key: string): number {
    const ofKey = this.#byKey.get(key)?.size ?? 0;
    const ofNamespace = this.#byNamespace.get(key.slice(0, key.indexOf('/') + 1))?.size ?? 0;
    return this.#all.size + ofKey + ofNamespace;
  }

  /** Offers the event to every watcher that may select its old or its new state. */
  dispatch(event: CacheEvent): void {
    offerTo(this.#all, event);
    const key = this.#byKey.size + this.#byNamespace.size > 0 ? event.key : '';
    if (this.#byKey.size > 0) offerTo(this.#byKey.get(key), event);
    if (this.#byNamespace.size > 0) offerTo(this.#byNamespace.get(key.slice(0, key.indexOf('/') + 1)), event);
    for (const [position, buckets] of this.#byField) {
      const was = valueAt(event.before, position);
      const is = valueAt(event.after, position);
      if (was !== undefined) offerTo(buckets.get(was), event);
      if (is !== undefined && is !== was) offerTo(buckets.get(is), event);
    }
  }

  #place({ scope, filter }: EventSubscriber): { map: Map<string, Bucket> | undefined; key: string } {
    if (scope.exact !== undefined) return { map: this.#byKey, key: scope.exact };
    const required = (field: string): string | undefined =>
      filter.fieldEquals.find((r) => r.field === field)?.value;
    const name = required('metadata.name');
    if (name && scope.prefix !== '') return { map: this.#byKey, key: `${scope.prefix}${name}` };
    for (const field of [...this.#preferred, ...filter.fieldEquals.map((r) => r.field)]) {
      const value = required(field);
      const position = this.#positions.get(field);
      if (field === 'metadata.namespace' || value === undefined || position === undefined) continue;
      return { map: this.#fieldBuckets(position), key: value };
    }
    const namespace = required('metadata.namespace');
    if (scope.prefix !== '') return { map: this.#byNamespace, key: scope.prefix };
    return namespace ? { map: this.#byNamespace, key: `${namespace}/` } : { map: undefined, key: '' };
  }

  #fieldBuckets(position: number): Map<string, Bucket> {
    const there = this.#byField.get(position);
    if (there !== undefined) return there;
    const buckets = new Map<string, Bucket>();
    this.#byField.set(position, buckets);
    return buckets;
  }
}

function offerTo(bucket: Bucket | undefined, event: CacheEvent): void {
  if (bucket === undefined) return;
  for (const watcher of bucket) {
    try {
      watcher.offer(event);
    } catch (error) {
      watcher.offerFailed(error);
    }
  }
}

function valueAt(object: StoredObject | undefined, position: number): string | undefined {
  return object === undefined ? undefined : object.field(position);
}
