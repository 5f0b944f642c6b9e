/** Something that was told of an object, as of a time. */
export interface Occurrence {
  /** Tells the object from all others. */
  readonly about: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly atMs: number;
}

/** An Event that was written: what is alike is counted there. */
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

/** Different messages of one reason about one object that are written one by one; what follows is combined. */
const MAX_MESSAGES = 10;
/** What is further apart than this has nothing to do with each other. */
const WINDOW_MS = 600_000;
const MAX_REMEMBERED = 4096;

/** Says of every occurrence which series it belongs to, and remembers the last few thousand of them. */
export class EventSeries {
  readonly #groups = new Map<string, Group>();
  readonly #series = new Map<string, Series>();

  /** The key of its series, and the message to write: of many alike, one says that it stands for all. */
  place(occurrence: Occurrence): { readonly key: string; readonly message: string } {
    const { about, type, reason, message, atMs } = occurrence;
    const groupKey = JSON.stringify([about, type, reason]);
    const known = this.#groups.get(groupKey);
    const isRecent = known !== undefined && atMs - known.lastMs <= WINDOW_MS;
    const group = isRecent ? known : { messages: new Set<string>(), lastMs: atMs };
    group.lastMs = atMs;
    remember(this.#groups, groupKey, group);
    if (group.messages.size >= MAX_MESSAGES && !group.messages.has(message)) {
      return { key: groupKey, message: `(combined from similar events): ${message}` };
    }
    group.messages.add(message);
    return { key: JSON.stringify([groupKey, message]), message };
  }

  /** The series that was written under a key, unless it has been quiet for so long that a new one says more. */
  find(key: string, atMs: number): Series | undefined {
    const found = this.#series.get(key);
    return found !== undefined && atMs - found.lastMs <= WINDOW_MS ? found : undefined;
  }

  set(key: string, series: Series): void {
    remember(this.#series, key, series);
  }

  forget(key: string): void {
    this.#series.delete(key);
  }
}

/** The newest at the end, the oldest goes when there are too many. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_REMEMBERED && oldest !== undefined) map.delete(oldest);
}

/** Occurrences of one object that are written at once, and the time in which one more may be. */
const BURST = 25;
const REFILL_MS = 300_000;

/** Keeps an object that things happen to all the time from drowning out the others. */
export class EventLimit {
  /** By object: when its allowance will be full again. */
  readonly #fullAt = new Map<string, number>();

  /** Whether one more may be written at this time, which counts it. */
  take(about: string, atMs: number): boolean {
    const fullAt = Math.max(this.#fullAt.get(about) ?? 0, atMs) + REFILL_MS;
    if (fullAt - atMs > BURST * REFILL_MS) return false;
    remember(this.#fullAt, about, fullAt);
    return true;
  }
}
