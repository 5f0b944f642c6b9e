import { inRange, type KeyRange } from '../keys.ts';
import type { KvEvent, Revision, WatchBatch } from '../store.ts';
import { eventKey, eventRevision } from '../store-values.ts';
import { AutoResetEvent } from '../watch-loop.ts';

/** The position of one watch. */
export interface Cursor {
  position: Revision;
  readonly changed: AutoResetEvent;
}

const MAX_EVENTS = 8192;
const MAX_BYTES = 32 * 1024 * 1024;

/** Events that all watches have read are dropped once there are this many, or this many bytes. */
const TRIM_EVENTS = 512;
const TRIM_BYTES = 2 * 1024 * 1024;

/**
 * The newest events, kept in memory, within bounds, until all watches have read them. A watch that is further behind
 * reads the log instead, so that slow watches cost no memory.
 */
export class WatchHub {
  readonly #cursors = new Set<Cursor>();
  /** `#events[i]` is the event of revision `#first + i`; undefined when it has none. */
  #events: (KvEvent | undefined)[] = [];
  #first: Revision;
  #bytes = 0;

  constructor(rev: Revision) {
    this.#first = rev + 1;
  }

  /** Whether there are watches. */
  get isWatched(): boolean {
    return this.#cursors.size > 0;
  }

  /** The newest revision published. */
  get rev(): Revision {
    return this.#first + this.#events.length - 1;
  }

  register(position: Revision): Cursor {
    const cursor = { position, changed: new AutoResetEvent() };
    this.#cursors.add(cursor);
    return cursor;
  }

  unregister(cursor: Cursor): void {
    this.#cursors.delete(cursor);
  }

  /**
   * Adds the events of the revisions after `rev`, one each, and wakes the watches. Events that do not directly follow
   * `rev` are not kept but read from the log: the events in memory are without gaps.
   */
  publish(events: readonly KvEvent[]): void {
    const [first] = events;
    if (first !== undefined && eventRevision(first) !== this.rev + 1) {
      this.skipTo(eventRevision(events[events.length - 1] ?? first));
      return;
    }
    for (const event of events) {
      this.#events.push(event);
      this.#bytes += bytesOf(event);
    }
    this.#trim();
    this.wakeAll();
  }

  /** Adds the events that the log has after `rev`: some revisions have none. */
  publishLog({ rev, events }: WatchBatch): void {
    for (const event of events) {
      while (this.rev + 1 < eventRevision(event)) this.#events.push(undefined);
      this.#events.push(event);
      this.#bytes += bytesOf(event);
    }
    while (this.rev < rev) this.#events.push(undefined);
    this.#trim();
    this.wakeAll();
  }

  /** The store has reached `rev`; the events up to it are only in the log. */
  skipTo(rev: Revision): void {
    if (rev <= this.rev) return;
    this.#events = [];
    this.#bytes = 0;
    this.#first = rev + 1;
    this.wakeAll();
  }

  wakeAll(): void {
    for (const cursor of this.#cursors) cursor.changed.set();
  }

  /** Events of the range after `after`; undefined when some are no longer in memory. */
  since(after: Revision, range: KeyRange): WatchBatch | undefined {
    if (after + 1 < this.#first) return undefined;
    const events: KvEvent[] = [];
    for (let i = after + 1 - this.#first; i < this.#events.length; i++) {
      const event = this.#events[i];
      if (event !== undefined && inRange(range, eventKey(event))) events.push(event);
    }
    return { rev: this.rev, events };
  }

  #trim(): void {
    let taken = this.rev;
    for (const cursor of this.#cursors) taken = Math.min(taken, cursor.position);
    let drop = Math.max(0, taken + 1 - this.#first);
    let bytes = 0;
    for (let i = 0; i < drop; i++) bytes += bytesOf(this.#events[i]);
    while (this.#events.length - drop > MAX_EVENTS || this.#bytes - bytes > MAX_BYTES) {
      bytes += bytesOf(this.#events[drop++]);
    }
    if (drop < TRIM_EVENTS && bytes < TRIM_BYTES && drop < this.#events.length) return;
    this.#events.splice(0, drop);
    this.#first += drop;
    this.#bytes -= bytes;
  }
}

function bytesOf(event: KvEvent | undefined): number {
  if (event === undefined) return 0;
  return event.type === 'put' ? event.kv.key.length + (event.kv.value?.length ?? 0) : event.key.length;
}
