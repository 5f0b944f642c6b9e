import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, testEnv } from '@orch/machinery/testing';
import { runCompactor } from './compactor.ts';
import { ModelStore } from './model-store.ts';
import { type Revision, StoreError } from './store.ts';

const KEY = '/compaction';
const MINUTE = 60_000;
const INTERVAL = 5 * MINUTE;

/** A model store that records requested compactions, and replicas that run on it. */
function fixture(replicas: number) {
  const env = testEnv();
  const compactions: { readonly through: Revision; readonly atMs: number }[] = [];
  class Recording extends ModelStore {
    failNext = false;
    override async compact(through: Revision, signal: AbortSignal): Promise<void> {
      if (this.failNext) {
        this.failNext = false;
        throw new StoreError('unavailable', 'no answer');
      }
      compactions.push({ through, atMs: env.clock.monotonic() });
      return super.compact(through, signal);
    }
  }
  const store = new Recording({ clock: env.clock });
  const { signal } = new AbortController();
  const stops = Array.from({ length: replicas }, () => new AbortController());
  const runs: Promise<void>[] = [];
  return {
    env,
    store,
    compactions,
    stops,
    /** Starts the next replica. */
    start() {
      const stop = stops[runs.length] ?? new AbortController();
      runs.push(runCompactor(store, { key: KEY, env, signal: stop.signal }));
    },
    /** Advances the clock minute by minute with one write in each; returns the revision at the end of each. */
    async minutes(count: number): Promise<Revision[]> {
      const revisions: Revision[] = [];
      for (let i = 0; i < count; i++) {
        await env.clock.advanceAsync(MINUTE);
        const value = Buffer.from('x');
        const { rev } = await store.commit(
          { op: 'create', key: `/k${env.clock.monotonic()}`, value },
          signal,
        );
        revisions.push(rev);
      }
      return revisions;
    },
    async [Symbol.asyncDispose]() {
      for (const stop of stops) stop.abort();
      await Promise.all(runs);
      await store.close();
    },
  };
}

describe('runCompactor on a store', () => {
  it('runCompactor compacts once per interval, through a revision that is an interval old, with 3 replicas', async () => {
    await using f = fixture(3);
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      f.start();
      await f.minutes(1);
    }
    const written = new Map<Revision, number>();
    for (let i = 0; i < 60; i++) {
      for (const rev of await f.minutes(1)) written.set(rev, f.env.clock.monotonic());
    }
    assert.ok(
      f.compactions.length >= 11 && f.compactions.length <= 12,
      `${f.compactions.length} compactions`,
    );
    for (const { through, atMs } of f.compactions) {
      times.push(atMs);
      for (const [rev, writtenMs] of written) {
        if (rev <= through)
          assert.ok(atMs - writtenMs >= INTERVAL - MINUTE, `${rev} was forgotten too early`);
      }
    }
    assert.ok(times.slice(1).every((at, i) => at - (times[i] ?? 0) >= INTERVAL));
  });

  it('runCompactor compacts through another replica when the one that compacted stops', async () => {
    await using f = fixture(2);
    f.start();
    await f.minutes(1);
    f.start();
    await f.minutes(11);
    const before = f.compactions.length;
    f.stops[0]?.abort();
    await f.minutes(15);
    assert.ok(f.compactions.length > before);
  });

  it('runCompactor keeps one interval of history after all replicas restart', async () => {
    await using f = fixture(1);
    const { rev } = await f.store.commit(
      { op: 'create', key: KEY, value: Buffer.from('{"revision":1}') },
      new AbortController().signal,
    );
    f.store.skipRevisions(100);
    f.start();
    await f.minutes(4);
    assert.equal(f.compactions.length, 0);
    await f.minutes(2);
    assert.equal(f.compactions.map((c) => c.through).join(), '1');
    assert.ok(rev > 1);
  });

  it('runCompactor continues after failed compactions and after the key was overwritten', async () => {
    await using f = fixture(1);
    const { signal } = new AbortController();
    await f.store.commit({ op: 'create', key: KEY, value: Buffer.from('not ours') }, signal);
    f.start();
    await f.minutes(6);
    assert.equal(f.compactions.length, 0);
    f.store.failNext = true;
    await f.minutes(5);
    assert.equal(f.env.entries.filter((entry) => entry.msg === 'compaction failed; retrying').length, 1);
    await f.minutes(15);
    assert.ok(f.compactions.length > 0);
  });

  it('runCompactor returns at once when it is disabled, and soon after the signal aborts', async () => {
    await using f = fixture(1);
    await runCompactor(f.store, {
      key: KEY,
      intervalMs: 0,
      env: f.env,
      signal: new AbortController().signal,
    });
    f.start();
    await settle();
    f.stops[0]?.abort();
    await settle();
    assert.equal(f.env.clock.pending, 0);
  });
});
