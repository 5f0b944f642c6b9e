import type { Revision } from '@orch/storage';
import { LARGE_BYTES } from '../objects/compression.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import type { CacheEvent } from './cache-event.ts';

/** Large old states of the latest events stay uncompressed up to this size: some watchers have yet to read them. */
const RECENT_BYTES = 512 * 1024;

/** The owner of the states that are in a history. */
export interface HistoricStates {
  /** Called with each evicted event. */
  release(event: CacheEvent): void;
  /** Compresses a large state, which few will read. */
  compress(state: StoredObject): void;
}

/**
 * The latest events of one resource in revision order: all events after `oldestRevision`. The oldest events are evicted,
 * whole revisions at a time, when they are too old or when all histories together are too large.
 */
export class EventHistory {
  readonly #states: HistoricStates;
  #oldestRevision: Revision = 0;
  /** Slots before `#head` are empty: an evicted event must not keep its states alive. */
  #events: (CacheEvent | undefined)[] = [];
  #head = 0;
  #weight = 0;
  /** Large old states that are not compressed yet, in order. */
  #recent: StoredObject[] = [];
  #recentBytes = 0;

  constructor(states: HistoricStates) {
    this.#states = states;
  }

  /** All events after this revision are in the history; those at or before it may have been evicted. */
  get oldestRevision(): Revision {
    return this.#oldestRevision;
  }

  get length(): number {
    return this.#events.length - this.#head;
  }

  get weight(): number {
    return this.#weight;
  }

  push(event: CacheEvent): void {
    this.#events.push(event);
    this.#weight += event.weight;
    const { before } = event;
    if (before === undefined || before.size < LARGE_BYTES) return;
    this.#recent.push(before);
    this.#recentBytes += before.size;
    while (this.#recentBytes > RECENT_BYTES) this.#compressOldest();
  }

  /** Number of events after `rev`. */
  countAfter(rev: Revision): number {
    return this.#events.length - this.#indexAfter(rev);
  }

  /** Events after `rev` in order, about `limit` of them: the events of one revision are never split. */
  after(rev: Revision, limit = Number.POSITIVE_INFINITY): readonly CacheEvent[] {
    const start = this.#indexAfter(rev);
    let end = Math.min(this.#events.length, start + limit);
    while (end < this.#events.length && end > start && this.#events[end]?.rev === this.#events[end - 1]?.rev)
      end++;
    return this.#events.slice(start, end).filter((event) => event !== undefined);
  }

  /** Calls `visit` with the events in `(after, through]`, the newest first. */
  backwards(after: Revision, through: Revision, visit: (event: CacheEvent) => void): void {
    for (let i = this.#indexAfter(through) - 1; i >= this.#head; i--) {
      const event = this.#events[i];
      if (event === undefined || event.rev <= after) return;
      visit(event);
    }
  }

  /** Evicts events that arrived before `time` (monotonic milliseconds). */
  expire(time: number): void {
    for (let oldest = this.#events[this.#head]; oldest !== undefined && oldest.at < time; ) {
      this.#evictRevision(oldest.rev);
      oldest = this.#events[this.#head];
    }
  }

  /** Evicts the oldest events until at least `weight` bytes are freed. */
  shed(weight: number): void {
    const target = this.#weight - weight;
    for (let oldest = this.#events[this.#head]; oldest !== undefined && this.#weight > target; ) {
      this.#evictRevision(oldest.rev);
      oldest = this.#events[this.#head];
    }
  }

  /** Evicts all events: the history starts again after `oldestRevision`. */
  reset(oldestRevision: Revision): void {
    for (let i = this.#head; i < this.#events.length; i++) {
      const event = this.#events[i];
      if (event !== undefined) this.#states.release(event);
    }
    this.#events = [];
    this.#head = 0;
    this.#weight = 0;
    this.#recent = [];
    this.#recentBytes = 0;
    this.#oldestRevision = oldestRevision;
  }

  #evictRevision(rev: Revision): void {
    this.#oldestRevision = rev;
    for (let event = this.#events[this.#head]; event !== undefined && event.rev <= rev; ) {
      this.#weight -= event.weight;
      if (event.before !== undefined && event.before === this.#recent[0]) this.#takeRecent();
      this.#states.release(event);
      this.#events[this.#head++] = undefined;
      event = this.#events[this.#head];
    }
    if (this.#head > 256 && this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
  }

  #compressOldest(): void {
    const state = this.#takeRecent();
    if (state === undefined) return;
    const held = state.heldBytes;
    this.#states.compress(state);
    this.#weight += state.heldBytes - held;
  }

  #takeRecent(): StoredObject | undefined {
    const state = this.#recent.shift();
    this.#recentBytes -= state?.size ?? 0;
    return state;
  }

  #indexAfter(rev: Revision): number {
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.rev ?? 0) <= rev) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Share of the heaviest history that is evicted at once, so that searching for it is rare. */
const SHED_SHARE = 1 / 16;

/** Bounds all histories together by evicting from the heaviest one, so that busy resources do not shorten the history of quiet ones. */
export class HistoryBudget {
  readonly #limitBytes: number;
  readonly #histories = new Set<EventHistory>();
  #weight = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get weight(): number {
    return this.#weight;
  }

  add(history: EventHistory): void {
    this.#histories.add(history);
    this.#weight += history.weight;
  }

  remove(history: EventHistory): void {
    if (this.#histories.delete(history)) this.#weight -= history.weight;
  }

  push(history: EventHistory, event: CacheEvent): void {
    this.#changing(history, () => history.push(event));
    while (this.#weight > this.#limitBytes) {
      const heaviest = this.#heaviest();
      if (heaviest === undefined) return;
      this.#changing(heaviest, () =>
        heaviest.shed(Math.max(heaviest.weight * SHED_SHARE, this.#weight - this.#limitBytes)),
      );
    }
  }

  expire(time: number): void {
    for (const history of this.#histories)
      if (history.length > 0) this.#changing(history, () => history.expire(time));
  }

  reset(history: EventHistory, oldestRevision: Revision): void {
    this.#changing(history, () => history.reset(oldestRevision));
  }

  #changing(history: EventHistory, change: () => void): void {
    const before = history.weight;
    change();
    this.#weight += history.weight - before;
  }

  #heaviest(): EventHistory | undefined {
    let heaviest: EventHistory | undefined;
    for (const history of this.#histories) {
      if (history.length > 0 && history.weight > (heaviest?.weight ?? 0)) heaviest = history;
    }
    return heaviest;
  }
}
