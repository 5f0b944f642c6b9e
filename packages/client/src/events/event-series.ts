import { BoundedCache } from '@orch/machinery/bounded-cache';

/** An occurrence of an event, with its time. */
export interface Occurrence {
  /** Identifies the object. */
  readonly about: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly atMs: number;
}

/** An Event, which counts the occurrences of a series. */
export interface CountedEvent {
  readonly name: string;
  readonly firstMs: number;
  /** The occurrences until this one. */
  readonly count: number;
  /** The message to write: combined messages are marked. */
  readonly message: string;
}

interface Group {
  readonly messages: Set<string>;
  lastMs: number;
}

/** Different messages of one reason for one object that are written separately; further ones are combined. */
const MAX_MESSAGES = 9;
/** A pause after which the messages of a reason are separate again. */
const WINDOW_MS = 600_000;
const bounds = { maxEntries: 4096 };

/** Assigns occurrences to Events, and keeps the last few thousand of them. */
export class EventSeries {
  readonly #groups = new BoundedCache<string, Group>(bounds);
  readonly #series = new BoundedCache<string, Omit<CountedEvent, 'message'>>(bounds);

  /** Counts an occurrence. The name is that of a new Event, if it is the first one of its series. */
  count(occurrence: Occurrence, newName: () => string): CountedEvent {
    const { key, message } = this.#place(occurrence);
    const { name, firstMs, count } = this.#series.get(key) ?? {
      name: newName(),
      firstMs: occurrence.atMs,
      count: 0,
    };
    const counted = { name, firstMs, count: count + 1 };
    this.#series.set(key, counted);
    return { ...counted, message };
  }

  /** The key of the series, and the message to write. */
  #place(occurrence: Occurrence): { readonly key: string; readonly message: string } {
    const { about, type, reason, message, atMs } = occurrence;
    const groupKey = JSON.stringify([about, type, reason]);
    const known = this.#groups.get(groupKey);
    const isRecent = known !== undefined && atMs - known.lastMs <= WINDOW_MS;
    const group = isRecent ? known : { messages: new Set<string>(), lastMs: atMs };
    group.lastMs = atMs;
    this.#groups.set(groupKey, group);
    if (group.messages.size >= MAX_MESSAGES && !group.messages.has(message)) {
      return { key: groupKey, message: `(combined from similar events): ${message}` };
    }
    group.messages.add(message);
    return { key: JSON.stringify([groupKey, message]), message };
  }
}

/** Initial burst of occurrences per object, and interval of further ones. */
const BURST = 25;
const REFILL_MS = 300_000;

/** Limits the rate of events per object, so that no object displaces the events of others. */
export class EventLimit {
  /** By object, when its burst is available again. */
  readonly #fullAt = new BoundedCache<string, number>(bounds);

  /** Reports whether another event may be written at this time, which is counted. */
  take(about: string, atMs: number): boolean {
    const fullAt = Math.max(this.#fullAt.get(about) ?? 0, atMs) + REFILL_MS;
    if (fullAt - atMs > BURST * REFILL_MS) return false;
    this.#fullAt.set(about, fullAt);
    return true;
  }
}
