import type { Revision } from '@orch/storage';
import { detachedObject, type StoredObject } from '../objects/stored-object.ts';
import { withRevision } from '../objects/with-revision.ts';
import type { CachedObject, EventEncoder, ObjectFilter, Scope, WatchItem } from '../types.ts';
import type { EncodedEvent, EncodedEventBudget } from './encoded-event-budget.ts';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';
export type ChangeItem = Exclude<WatchItem, { readonly type: 'BOOKMARK' }>;

/** Memory of an event besides the bytes of the old state. */
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

  /** A new string, for a caller that keeps it. */
  get key(): string {
    return (this.after ?? this.before)?.key ?? '';
  }

  /** Reports whether a scope contains the object. */
  isIn(scope: Scope): boolean {
    return (this.after ?? this.before)?.isIn(scope) === true;
  }

  /** Bytes that the event keeps alive. */
  get weight(): number {
    return EVENT_OVERHEAD_BYTES + (this.before?.heldBytes ?? 0);
  }

  /**
   * The event for a watcher with `filter`: a change of the object from not matching to matching is ADDED, the reverse is
   * DELETED. Undefined when neither state matches.
   */
  itemFor(filter: ObjectFilter): ChangeItem | undefined {
    const { before, after } = this;
    const was = before !== undefined && matches(filter, before);
    const is =
      after !== undefined &&
      (before !== undefined && before.labels === after.labels && after.hasFieldsOf(before)
        ? was
        : matches(filter, after));
    if (is) return this.#item(was ? 'MODIFIED' : 'ADDED');
    return was ? this.#item('DELETED') : undefined;
  }

  /** One item per type, shared by all watchers, so that each encoding is made once. */
  #item(type: ChangeType): ChangeItem {
    this.#items ??= [];
    for (const item of this.#items) if (item.type === type) return item;
    const item = new EventItem(type, this, this.#encodedEvents);
    this.#items.push(item);
    return item;
  }
}

export function matches(filter: ObjectFilter, object: Pick<CachedObject, 'labels' | 'field'>): boolean {
  return filter.everything || (filter.matchesFields(object) && filter.matchesLabels(object.labels.labels));
}

/** An event as delivered to watchers. Its encodings are cached until the budget drops them, and made again if needed. */
class EventItem implements EncodedEvent {
  readonly type: ChangeType;
  readonly #event: CacheEvent;
  readonly #budget: EncodedEventBudget;
  #encodings: { readonly id: string; readonly bytes: Buffer }[] = [];
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
      this.#budget.add(this, this.#lastState.size);
    }
    return this.#lastState;
  }

  encoded(encoder: EventEncoder): Buffer {
    for (const encoding of this.#encodings) if (encoding.id === encoder.id) return encoding.bytes;
    const bytes = encoder.encode(this.type, this.object);
    this.#encodings.push({ id: encoder.id, bytes });
    this.#budget.add(this, bytes.length);
    return bytes;
  }

  dropEncodings(): void {
    this.#encodings = [];
    this.#lastState = undefined;
  }
}

function missing(): never {
  throw new Error('an event must hold the state that its type requires');
}

/** The state of an object before its deletion, with the revision of the deletion. */
function lastState(before: StoredObject, rev: Revision): StoredObject {
  return detachedObject({ ...headOf(before), rev }, withRevision(before.json(), rev, before.revisionOffset));
}

function headOf(object: StoredObject): ConstructorParameters<typeof StoredObject>[0] {
  const { key, rev, labels, fieldSet: set, distinct, corrupt, revisionOffset } = object;
  return { key, rev, labels, fields: { set, distinct }, corrupt, revisionOffset };
}
