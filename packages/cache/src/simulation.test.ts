import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Random } from '@orch/machinery';
import { FakeClock, seededRandom, settle } from '@orch/machinery/testing';
import { ModelStore, type Revision, StoreError } from '@orch/storage';
import { appFilter, everything, Fixture, fieldFilter } from './testing/fixture.ts';
import { Recorder } from './testing/recorder.ts';
import { Writer } from './testing/writer.ts';
import type { ObjectFilter, Scope, WatchQuery } from './types.ts';

const SEEDS = Number(process.env['CACHE_SIM_SEEDS'] ?? 25);
const FIRST_SEED = Number(process.env['CACHE_SIM_FIRST'] ?? 1);
const STEPS = 250;

const FILTERS: readonly ObjectFilter[] = [
  everything,
  appFilter('app0'),
  fieldFilter('spec.nodeName', 'node1'),
  fieldFilter('metadata.name', 'pod-3'),
];
const SCOPES: readonly Scope[] = [{ prefix: '' }, { prefix: 'ns1/' }, { prefix: 'ns2/', exact: 'ns2/pod-5' }];

interface Watch {
  readonly recorder: Recorder;
  readonly query: WatchQuery;
  /** Revision of the state that the watch began with, or that it began after. */
  readonly start: Revision;
  readonly replica: number;
}

/** Two replicas on one store, a writer, watchers and readers, and all supported failures, determined by one seed. */
class Simulation {
  readonly #random: Random;
  readonly #model: ModelStore;
  readonly #writer: Writer;
  readonly #replicas: readonly Fixture[];
  readonly #watches: Watch[] = [];
  #compacted: Revision = 0;
  listsChecked = 0;

  private constructor(random: Random, model: ModelStore, replicas: readonly Fixture[]) {
    this.#random = random;
    this.#model = model;
    this.#writer = new Writer(model);
    this.#replicas = replicas;
  }

  /** With `follows`, the second replica is a further thread, which follows the first one. */
  static async run(seed: number, { follows }: { readonly follows: boolean }): Promise<Simulation> {
    const random = seededRandom(seed);
    const model = new ModelStore({ clock: new FakeClock(), maxBatchEvents: 1 + random.int(20) });
    const cache = {
      historyBytes: 2000 + random.int(20_000),
      watcherItems: 1 + random.int(30),
      maxUndo: random.int(40),
      // A store that is delayed for long has not lost its history.
      silenceMs: 1e9,
    };
    await using a = await Fixture.open({ seed, model, cache, feeds: follows });
    await using b = await Fixture.open({ seed: seed + 1000, model, cache, ...(follows && { follows: a }) });
    const simulation = new Simulation(random, model, [a, b]);
    for (const replica of [a, b]) replica.store.failPerMille = random.int(3) * 20;
    for (let i = 0; i < STEPS; i++) await simulation.#step();
    await simulation.#finish();
    return simulation;
  }

  #pick<T>(list: readonly T[]): T {
    const item = list[this.#random.int(list.length)];
    assert.ok(item !== undefined);
    return item;
  }

  async #step(): Promise<void> {
    const dice = this.#random.int(100);
    const replica = this.#pick(this.#replicas);
    if (dice < 45) for (let n = this.#random.int(8); n >= 0; n--) await this.#writer.random(this.#random);
    else if (dice < 53) await this.#watch(this.#random.int(2), undefined);
    else if (dice < 58) await this.#moveWatch();
    else if (dice < 66) this.#toggleSink();
    else if (dice < 76) await this.#list(replica);
    else if (dice < 84) await this.#listInChunks(replica);
    else if (dice < 88) replica.store.hold();
    else if (dice < 94) replica.store.release();
    else if (dice < 95) await this.#compact();
    else if (dice < 97) replica.store.down = !replica.store.down;
    else await replica.env.clock.advanceAsync(this.#random.int(3000));
    if (this.#random.int(2) === 0) await settle();
  }

  async #watch(replica: number, after: Revision | undefined): Promise<void> {
    const fixture = this.#replicas[replica];
    assert.ok(fixture !== undefined);
    const recorder = new Recorder();
    const current = fixture.cache.revision();
    const start = after ?? Math.max(1, current - this.#random.int(60));
    const fromState = after === undefined && this.#random.int(3) === 0;
    const query: WatchQuery = {
      scope: this.#pick(SCOPES),
      filter: this.#pick(FILTERS),
      bookmarks: this.#random.int(2) === 0,
      start: fromState ? { kind: 'state', initialEventsEnd: true } : { kind: 'after', rev: start },
    };
    await this.#begin({ recorder, query, start: fromState ? current : start, replica });
  }

  async #begin(watch: Watch): Promise<void> {
    const fixture = this.#replicas[watch.replica];
    assert.ok(fixture !== undefined);
    const started = watch.recorder.start(fixture.pods, watch.query, fixture.signal).then(
      () => void this.#watches.push(watch),
      (error: unknown) => {
        assert.ok(error instanceof StoreError, String(error));
        if (error.code === 'compacted')
          assert.ok(watch.start < this.#compacted, 'history that is there is not refused');
        else assert.equal(error.code, 'unavailable');
      },
    );
    // A catch-up may wait for a delayed store; it completes later in the simulation.
    await Promise.race([started, settle().then(settle)]);
  }

  /** A client disconnects and resumes at the other replica from the last revision that it received. */
  async #moveWatch(): Promise<void> {
    if (this.#watches.length === 0) return;
    const watch = this.#pick(this.#watches);
    const initialDone =
      watch.query.start.kind === 'after' || watch.recorder.items.some((i) => i.type === 'BOOKMARK');
    if (!initialDone || watch.recorder.ended !== undefined) return;
    watch.recorder.close();
    const last = Math.max(watch.start, ...watch.recorder.items.map((item) => item.rev));
    const query: WatchQuery = { ...watch.query, start: { kind: 'after', rev: last } };
    await this.#begin({ recorder: new Recorder(), query, start: last, replica: 1 - watch.replica });
  }

  #toggleSink(): void {
    if (this.#watches.length === 0) return;
    const { recorder } = this.#pick(this.#watches);
    recorder.blocking = !recorder.blocking;
    recorder.resume();
  }

  async #compact(): Promise<void> {
    const now = await this.#model.currentRevision(new AbortController().signal);
    this.#compacted = Math.max(this.#compacted, now - this.#random.int(30));
    await this.#model.compact(this.#compacted, new AbortController().signal);
  }

  async #list(replica: Fixture): Promise<void> {
    const scope = this.#pick(SCOPES);
    const filter = this.#pick(FILTERS);
    const current = replica.cache.revision();
    const at = this.#random.int(2) === 0 ? undefined : Math.max(1, current - this.#random.int(80));
    try {
      const query = { scope, filter, ...(at === undefined ? {} : { at }) };
      const page = await this.#bounded(replica.pods.list(query, replica.signal));
      if (page === undefined) return;
      assert.equal(page.rev, at ?? current);
      this.#check(page.objects, page.rev, scope, filter);
    } catch (error) {
      this.#excuse(error, at ?? current);
    }
  }

  async #listInChunks(replica: Fixture): Promise<void> {
    const scope = this.#pick(SCOPES);
    const filter = this.#pick(FILTERS);
    const limit = 1 + this.#random.int(6);
    const objects: { key: string; rev: Revision }[] = [];
    let at: Revision | undefined;
    try {
      for (let after: string | undefined; ; ) {
        const query = {
          scope,
          filter,
          limit,
          ...(at === undefined || after === undefined ? {} : { at, after }),
        };
        const page = await this.#bounded(replica.pods.list(query, replica.signal));
        if (page === undefined) return;
        at ??= page.rev;
        assert.equal(page.rev, at);
        objects.push(...page.objects);
        if (page.remaining !== undefined) {
          assert.equal(page.remaining, this.#writer.stateAt(at, scope, filter).length - objects.length);
        }
        if (page.next === undefined) break;
        assert.equal(page.next, page.objects.at(-1)?.key);
        after = page.next;
        for (let n = this.#random.int(10); n > 0; n--) await this.#writer.random(this.#random);
        if (this.#random.int(2) === 0) await settle();
      }
      this.#check(objects, at, scope, filter);
    } catch (error) {
      this.#excuse(error, at ?? 0);
    }
  }

  /** A read that does not complete soon waits for a delayed store; the simulation continues without it. */
  async #bounded<T>(result: T | Promise<T>): Promise<T | undefined> {
    if (!(result instanceof Promise)) return result;
    result.catch(() => undefined);
    return Promise.race([
      result,
      settle()
        .then(settle)
        .then(() => undefined),
    ]);
  }

  #check(
    objects: readonly { key: string; rev: Revision }[],
    rev: Revision,
    scope: Scope,
    filter: ObjectFilter,
  ): void {
    const got = objects.map(({ key, rev: objectRev }) => ({ key, rev: objectRev }));
    assert.deepEqual(got, this.#writer.stateAt(rev, scope, filter));
    this.listsChecked++;
  }

  #excuse(error: unknown, at: Revision): void {
    assert.ok(error instanceof StoreError, error instanceof Error ? error.stack : String(error));
    if (error.code === 'compacted') assert.ok(at < this.#compacted);
    else assert.equal(error.code, 'unavailable');
  }

  async #finish(): Promise<void> {
    for (const replica of this.#replicas) {
      replica.store.failPerMille = 0;
      replica.store.down = false;
      replica.store.release();
    }
    for (const { recorder } of this.#watches) recorder.blocking = false;
    for (let i = 0; i < 40; i++) {
      for (const { recorder } of this.#watches) recorder.resume();
      for (const replica of this.#replicas) await replica.env.clock.advanceAsync(500);
      await settle();
    }
    const last = await this.#model.currentRevision(new AbortController().signal);
    for (const replica of this.#replicas) {
      assert.equal(replica.cache.revision(), last);
      const page = await replica.pods.list({ scope: { prefix: '' }, filter: everything }, replica.signal);
      this.#check(page.objects, last, { prefix: '' }, everything);
      const digest = await replica.cache.verify(replica.signal);
      assert.equal(digest.mismatches, 0);
    }
    for (const watch of this.#watches) this.#checkWatch(watch, last);
  }

  #checkWatch({ recorder, query, start }: Watch, last: Revision): void {
    const seen = [...recorder.seen];
    if (query.start.kind === 'state') {
      const end = recorder.items.findIndex((item) => item.type === 'BOOKMARK' && item.initialEventsEnd);
      const initial = seen.splice(0, end < 0 ? seen.length : end);
      const state = this.#writer.stateAt(start, query.scope, query.filter);
      const expected = state.map(({ key, rev }) => ({ type: 'ADDED', rev, key }));
      assert.deepEqual(initial, end < 0 ? expected.slice(0, initial.length) : expected);
    }
    this.#checkBookmarks(recorder);
    const expected = this.#writer.eventsBetween(start, last, query);
    const complete = recorder.ended === undefined && !recorder.closed && !recorder.blocking;
    assert.deepEqual(seen, complete ? expected : expected.slice(0, seen.length), `from ${start} to ${last}`);
    if (recorder.ended === 'expired') {
      assert.ok(this.#compacted > start, `expired from ${start}, but compacted through ${this.#compacted}`);
    }
  }

  #checkBookmarks(recorder: Recorder): void {
    let highest = 0;
    for (const [i, item] of recorder.items.entries()) {
      if (item.type !== 'BOOKMARK') continue;
      assert.ok(item.rev >= highest, 'bookmarks do not go back');
      highest = item.rev;
      for (const later of recorder.items.slice(i + 1)) {
        assert.ok(
          later.type === 'BOOKMARK' || later.rev > item.rev,
          'no event comes after a bookmark that is past it',
        );
      }
    }
  }
}

describe('watch cache simulation', () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++)
    it(`every list and every watch agrees with the store's history (seed ${seed})`, async () => {
      const done = await Simulation.run(seed, { follows: false });
      assert.ok(done.listsChecked > 5);
    });

  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++)
    it(`every list and every watch of a thread that follows another one agrees with the store's history (seed ${seed})`, async () => {
      const done = await Simulation.run(seed, { follows: true });
      assert.ok(done.listsChecked > 5);
    });
});
