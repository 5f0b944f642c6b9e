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

/** A written Event, which counts equal occurrences. */
export interface Series {
  readonly namespace: string;
  readonly name: string;
  count: number;
  lastMs: number;
}

interface Group {
  readonly messages: Set<string>;
  lastMs: number;
}

/** Different messages of one reason for one object that are written separately; further ones are combined. */
const MAX_MESSAGES = 10;
/** Occurrences with a larger interval are not combined. */
const WINDOW_MS = 600_000;
const bounds = { maxEntries: 4096 };

/** Assigns occurrences to series, and keeps the last few thousand of them. */
export class EventSeries {
  readonly #groups = new BoundedCache<string, Group>(bounds);
  readonly #series = new BoundedCache<string, Series>(bounds);

  /** The key of the series, and the message to write: combined messages are marked. */
  place(occurrence: Occurrence): { readonly key: string; readonly message: string } {
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

  /** The series of a key, unless its last occurrence is too old. */
  find(key: string, atMs: number): Series | undefined {
    const found = this.#series.get(key);
    return found !== undefined && atMs - found.lastMs <= WINDOW_MS ? found : undefined;
  }

  set(key: string, series: Series): void {
    this.#series.set(key, series);
  }

  forget(key: string): void {
    this.#series.delete(key);
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
