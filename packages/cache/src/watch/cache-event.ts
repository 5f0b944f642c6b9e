import type { Revision } from '@orch/storage';
import { looseObject, type StoredObject } from '../objects/stored-object.ts';
import { withRevision } from '../objects/with-revision.ts';
import type { CachedObject, EventEncoder, ObjectFilter, WatchItem } from '../types.ts';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';
export type ChangeItem = Exclude<WatchItem, { readonly type: 'BOOKMARK' }>;

/** What an event costs besides the bytes of the old state that it keeps. */
const EVENT_OVERHEAD_BYTES = 256;

/** One change of one object, with the state before it and the state after it. */
export class CacheEvent {
  readonly rev: Revision;
  readonly before: StoredObject | undefined;
  readonly after: StoredObject | undefined;
  /** Monotonic milliseconds of its arrival. */
  readonly at: number;
  readonly #encodedEvents: EncodedEventBudget;
  #items: EventItem[] | undefined;

  constructor(
    rev: Revision,
    states: { before: StoredObject | undefined; after: StoredObject | undefined },
    context: { at: number; encodedEvents: EncodedEventBudget },
  ) {
    this.rev = rev;
    this.before = states.before;
    this.after = states.after;
    this.at = context.at;
    this.#encodedEvents = context.encodedEvents;
  }

  get key(): string {
    return (this.after ?? this.before)?.key ?? '';
  }

  /** Bytes that the event keeps alive. */
  get weight(): number {
    return EVENT_OVERHEAD_BYTES + (this.before?.size ?? 0);
  }

  /** What a watcher of `filter` sees of the event: a change between matching and not matching comes or goes. */
  itemFor(filter: ObjectFilter): ChangeItem | undefined {
    const { before, after } = this;
    const was = before !== undefined && matches(filter, before);
    const is =
      after !== undefined &&
      (before !== undefined && before.labels === after.labels && before.fields === after.fields
        ? was
        : matches(filter, after));
    if (is) return this.#item(was ? 'MODIFIED' : 'ADDED');
    return was ? this.#item('DELETED') : undefined;
  }

  /** One item of each type, shared by all watchers, so that what it encodes is encoded once. */
  #item(type: ChangeType): ChangeItem {
    this.#items ??= [];
    for (const item of this.#items) if (item.type === type) return item;
    const item = new EventItem(type, this, this.#encodedEvents);
    this.#items.push(item);
    return item;
  }
}

export function matches(filter: ObjectFilter, object: Pick<CachedObject, 'labels' | 'fields'>): boolean {
  return (
    filter.everything || (filter.matchesFields(object.fields) && filter.matchesLabels(object.labels.labels))
  );
}

/** An event as watchers get it. Frames are kept for a while, and made again for a watcher that comes later. */
class EventItem {
  readonly type: ChangeType;
  readonly #event: CacheEvent;
  readonly #budget: EncodedEventBudget;
  #encodedEvents: { readonly id: string; readonly bytes: Buffer }[] = [];
  #lastState: StoredObject | undefined;

  constructor(type: ChangeType, event: CacheEvent, budget: EncodedEventBudget) {
    this.type = type;
    this.#event = event;
    this.#budget = budget;
  }

  get rev(): Revision {
    return this.#event.rev;
  }

  get at(): number {
    return this.#event.at;
  }

  get object(): CachedObject {
    const { before, after } = this.#event;
    if (this.type !== 'DELETED') return after ?? missing();
    if (this.#lastState === undefined) {
      this.#lastState = lastState(before ?? missing(), this.rev);
      this.#budget.keep(this, this.#lastState.size);
    }
    return this.#lastState;
  }

  encoded(encoder: EventEncoder): Buffer {
    for (const frame of this.#encodedEvents) if (frame.id === encoder.id) return frame.bytes;
    const bytes = encoder.encode(this.type, this.object);
    this.#encodedEvents.push({ id: encoder.id, bytes });
    this.#budget.keep(this, bytes.length);
    return bytes;
  }

  forget(): void {
    this.#encodedEvents = [];
    this.#lastState = undefined;
  }
}

function missing(): never {
  throw new Error('an event must hold the state that its type speaks of');
}

/** The state of an object before it went, carrying the revision at which it did. */
function lastState(before: StoredObject, rev: Revision): StoredObject {
  return looseObject({ ...headOf(before), rev }, withRevision(before.json(), rev, before.revisionOffset));
}

function headOf(object: StoredObject): ConstructorParameters<typeof StoredObject>[0] {
  const { key, rev, labels, fields, corrupt, revisionOffset } = object;
  return { key, rev, labels, fields, corrupt, revisionOffset };
}

/** Bounds the encoded events that are kept for watchers still to be served; the oldest go first. */
export class EncodedEventBudget {
  readonly #limitBytes: number;
  #kept: ({ readonly item: EventItem; readonly bytes: number } | undefined)[] = [];
  #head = 0;
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  keep(item: EventItem, bytes: number): void {
    this.#kept.push({ item, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#limitBytes && this.#head < this.#kept.length - 1) this.#dropOldest();
  }

  /** Drops encodedEvents of events that arrived before `time` (monotonic milliseconds). */
  expire(time: number): void {
    for (let oldest = this.#kept[this.#head]; oldest !== undefined && oldest.item.at < time; ) {
      this.#dropOldest();
      oldest = this.#kept[this.#head];
    }
  }

  #dropOldest(): void {
    const oldest = this.#kept[this.#head];
    this.#kept[this.#head++] = undefined;
    this.#bytes -= oldest?.bytes ?? 0;
    oldest?.item.forget();
    if (this.#head > 256 && this.#head * 2 > this.#kept.length) {
      this.#kept = this.#kept.slice(this.#head);
      this.#head = 0;
    }
  }
}
