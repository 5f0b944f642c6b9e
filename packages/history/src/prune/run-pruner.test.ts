import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, type TestEnv, testEnv } from '@orch/machinery/testing';
import { historyPrefixOf, ModelStore, prefixRange } from '@orch/storage';
import { encodeChangeKey } from '../record/change-key.ts';
import { runPruner } from './run-pruner.ts';

const { signal } = new AbortController();
const prefix = historyPrefixOf('/registry/');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEP_MS = 15_000;

/** Servers that prune the history of one store, each with a separate clock. */
class Fleet {
  readonly store: ModelStore;
  readonly #envs: TestEnv[] = [];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];
  recordedBytes = 0;
  #base = 0;

  constructor() {
    this.store = new ModelStore({ clock: testEnv().clock });
  }

  start(aheadMs = 0): void {
    const env = testEnv();
    env.clock.setWallTime((this.#envs[0] ?? env).clock.now() + aheadMs);
    this.#envs.push(env);
    const options = { storePrefix: '/registry/', retentionMs: HOUR_MS, maxBytes: 1_000_000 };
    const recordedBytes = (): number => this.recordedBytes;
    this.#running.push(runPruner(this.store, { ...options, env, recordedBytes, signal: this.#stop.signal }));
  }

  /** Records a change of an age, by the clock of the first server. */
  async record(ageMs: number): Promise<void> {
    const timeMs = (this.#envs[0]?.clock.now() ?? 0) - ageMs;
    const own = encodeChangeKey({ base: ++this.#base, timeMs, bytes: 1, kind: 'updated' }, '');
    const key = `${prefix}configmaps/default/o${this.#base}/${own}`;
    await this.store.commit({ op: 'create', key, value: Buffer.alloc(1) }, signal);
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      for (const { clock } of this.#envs) clock.advance(STEP_MS);
      for (let turn = 0; turn < 5; turn++) await settle();
    }
  }

  /** The clock of the first server is set forward. */
  jump(ms: number): void {
    for (const { clock } of this.#envs.slice(0, 1)) clock.setWallTime(clock.now() + ms);
  }

  async left(): Promise<number> {
    return (await this.store.list(prefixRange(prefix), {}, signal)).count;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }
}

describe('the rounds of pruning', () => {
  it('the rounds of pruning begin at their interval, and early on a server that has recorded much', async () => {
    await using fleet = new Fleet();
    fleet.start();
    await fleet.record(2 * HOUR_MS);
    await fleet.pass(4 * MINUTE_MS);
    assert.equal(await fleet.left(), 1);
    await fleet.pass(2 * MINUTE_MS);
    assert.equal(await fleet.left(), 0);
    await fleet.record(2 * HOUR_MS);
    fleet.recordedBytes += 100_000;
    await fleet.pass(MINUTE_MS);
    assert.equal(await fleet.left(), 0);
  });

  it('a server whose clock is ahead by more than the retention deletes nothing that others keep', async () => {
    await using fleet = new Fleet();
    fleet.start();
    await fleet.pass(6 * MINUTE_MS);
    await fleet.record(0);
    fleet.start(48 * HOUR_MS);
    await fleet.pass(50 * MINUTE_MS);
    assert.equal(await fleet.left(), 1);
    await fleet.pass(30 * MINUTE_MS);
    assert.equal(await fleet.left(), 0);
  });

  it('a clock that is ahead for some minutes deletes nothing, also of the only server', async () => {
    await using fleet = new Fleet();
    fleet.start();
    await fleet.pass(6 * MINUTE_MS);
    await fleet.record(0);
    fleet.jump(48 * HOUR_MS);
    await fleet.pass(20 * MINUTE_MS);
    fleet.jump(-48 * HOUR_MS);
    await fleet.pass(30 * MINUTE_MS);
    assert.equal(await fleet.left(), 1);
    await fleet.pass(20 * MINUTE_MS);
    assert.equal(await fleet.left(), 0);
  });

  it('delete what became too old while no server ran, after some agreement', async () => {
    await using fleet = new Fleet();
    fleet.start();
    await fleet.pass(6 * MINUTE_MS);
    await fleet.record(0);
    fleet.jump(48 * HOUR_MS);
    await fleet.pass(40 * MINUTE_MS);
    assert.equal(await fleet.left(), 0);
  });
});
