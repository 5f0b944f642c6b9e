import assert from 'node:assert/strict';
import { inRange, type KeyRange, type WatchRange } from '../keys.ts';
import type { KvEvent, Revision, Store, WatchBatch } from '../store.ts';
import { eventKey, eventRevision } from '../store-values.ts';
import { AutoResetEvent } from '../watch-loop.ts';

/** Consumes a watch in the background and checks the invariants of every batch. */
export class WatchRecorder implements AsyncDisposable {
  readonly batches: WatchBatch[] = [];
  /** Resolves when the watch has ended; it never rejects: see `failure`. */
  readonly done: Promise<void>;
  /** The error of the watch, or the violated invariant of a batch. */
  failure: unknown;
  #ended = false;
  readonly #changed = new AutoResetEvent();
  readonly #stop = new AbortController();

  constructor(store: Store, range: WatchRange, options: { after: Revision; signal: AbortSignal }) {
    const signal = AbortSignal.any([options.signal, this.#stop.signal]);
    this.done = this.#consume(store.watch(range, options.after, signal), range, options.after);
  }

  get events(): readonly KvEvent[] {
    return this.batches.flatMap((batch) => batch.events);
  }

  /** Waits until everything up to `rev` was reported; throws the error of the watch. */
  async through(rev: Revision): Promise<void> {
    await this.until(() => (this.batches.at(-1)?.rev ?? -1) >= rev);
  }

  /** Waits for `count` events, in any number of batches. */
  async received(count: number): Promise<readonly KvEvent[]> {
    await this.until(() => this.events.length >= count);
    return this.events;
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.failure !== undefined) throw this.failure;
      assert.ok(!this.#ended, 'the watch ended before what the test waits for');
      await this.#changed.wait();
    }
  }

  /** Aborts the watch and waits for its end. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #consume(watch: AsyncIterable<WatchBatch>, range: KeyRange, after: Revision): Promise<void> {
    try {
      let previous = after;
      for await (const batch of watch) {
        checkBatch(batch, range, previous);
        previous = batch.rev;
        this.batches.push(batch);
        this.#changed.set();
      }
    } catch (error) {
      this.failure = error;
    }
    this.#ended = true;
    this.#changed.set();
  }
}

function checkBatch(batch: WatchBatch, range: KeyRange, previous: Revision): void {
  assert.ok(batch.rev >= previous, `batch revisions went back from ${previous} to ${batch.rev}`);
  let last = previous;
  for (const event of batch.events) {
    const rev = eventRevision(event);
    assert.ok(rev > previous && rev <= batch.rev, `event ${rev} lies outside (${previous}, ${batch.rev}]`);
    assert.ok(rev >= last, `event ${rev} came after ${last}`);
    assert.ok(inRange(range, eventKey(event)), `event of ${eventKey(event)} is outside the watched range`);
    last = rev;
  }
}
