import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, testEnv } from '@orch/machinery/testing';
import { keyAfter, prefixRange } from '../keys.ts';
import { ModelStore } from '../model-store.ts';
import type { KeyValue, Revision, Store, Write } from '../store.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { openEmbeddedStore } from './open-embedded-store.ts';

const { signal } = new AbortController();
const ALL = prefixRange('/');
const CHANGES = 6000;

/**
 * Applies the same changes to both stores, more than the log's reader reads in one step; returns the revision in the
 * middle.
 */
async function change(store: Store, model: Store): Promise<Revision> {
  const random = seededRandom(3);
  let halfway = 0;
  let running: Promise<unknown>[] = [];
  for (let i = 0; i < CHANGES; i++) {
    const key = `/${random.int(300)}`;
    const { kv } = await model.get(key, signal);
    const expected = kv?.modRevision ?? 0;
    const value = Buffer.from(`${i}`);
    const remove = random.int(4) === 0;
    const write: Write =
      kv === undefined
        ? { op: 'create', key, value }
        : remove
          ? { op: 'delete', key, expected }
          : { op: 'update', key, value, expected };
    const { rev } = await model.commit(write, signal);
    // Commits of one tick are in one batch, in order.
    running.push(store.commit(write, signal).then((result) => assert.equal(result.rev, rev)));
    if (running.length >= 500) {
      await Promise.all(running);
      running = [];
    }
    if (i === CHANGES / 2) halfway = rev;
  }
  await Promise.all(running);
  return halfway;
}

async function pagesAt(store: Store, at: Revision, limit: number): Promise<KeyValue[]> {
  const items: KeyValue[] = [];
  for (let start = ALL.start; ; ) {
    const page = await store.list({ start, end: ALL.end }, { at, limit }, signal);
    items.push(...page.items);
    if (!page.more) return items;
    start = keyAfter(page.items.at(-1)?.key ?? '');
  }
}

describe('the embedded store with a long history', () => {
  it('pages through any past state and watches from any past revision', async () => {
    await using dir = await tempDir('orch-history-');
    const env = testEnv();
    const model = new ModelStore({ clock: env.clock });
    const store = await openEmbeddedStore({ dir: dir.path, env });
    const halfway = await change(store, model);
    for (const at of [2, 100, halfway, halfway + 1, CHANGES - 1, CHANGES + 1]) {
      const expected = await model.list(ALL, { at }, signal);
      assert.deepEqual(await pagesAt(store, at, 40), expected.items, `at ${at}`);
      assert.equal((await store.list(ALL, { at, limit: 1 }, signal)).count, expected.count);
    }
    const stop = new AbortController();
    let events = 0;
    for await (const batch of store.watch(ALL, halfway, stop.signal)) {
      events += batch.events.length;
      if (batch.rev === CHANGES + 1) stop.abort();
    }
    assert.equal(events, CHANGES + 1 - halfway);
    await store.close();
  });
});
