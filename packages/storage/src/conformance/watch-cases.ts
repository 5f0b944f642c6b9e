import assert from 'node:assert/strict';
import type { KvEvent, Revision } from '../store.ts';
import { eventKey, eventRevision } from '../store-values.ts';
import type { Case, Fixture } from './fixture.ts';
import type { WatchRecorder } from './watch-recorder.ts';

/** Creates, updates and deletes a few keys; returns the expected events. */
async function someChanges(f: Fixture, rounds: number, label = 'k'): Promise<KvEvent[]> {
  const expected: KvEvent[] = [];
  const put = (name: string, value: string, createRevision: Revision, modRevision: Revision) =>
    expected.push({
      type: 'put',
      kv: { key: f.key(name), value: Buffer.from(value), createRevision, modRevision },
    });
  for (let i = 0; i < rounds; i++) {
    const name = `${label}${i % 3}`;
    const created = await f.create(name, `created ${i}`);
    put(name, `created ${i}`, created, created);
    const updated = await f.update(name, created, `updated ${i}`);
    put(name, `updated ${i}`, created, updated);
    const deleted = await f.delete(name, updated);
    expected.push({ type: 'delete', key: f.key(name), modRevision: deleted });
  }
  return expected;
}

/** One key updated and one created in every round, after a first one: 2 × `rounds` + 1 events. */
async function permanentChanges(f: Fixture, rounds: number): Promise<void> {
  let last = await f.create('p');
  for (let i = 0; i < rounds; i++) {
    last = await f.update('p', last, `${i}`);
    await f.create(`p${i}`);
  }
}

/** After every batch, everything at or below its revision must have been delivered. */
function checkProgress(watch: WatchRecorder, expected: readonly KvEvent[]): void {
  let delivered = 0;
  for (const batch of watch.batches) {
    delivered += batch.events.length;
    const due = expected.filter((event) => eventRevision(event) <= batch.rev).length;
    assert.equal(delivered, due, `${delivered} events delivered at revision ${batch.rev}, ${due} happened`);
  }
}

export const watchCases: readonly Case[] = [
  [
    'a watch from the current revision reports creates, updates and deletes in order with exact revisions',
    async (f) => {
      await f.create('before');
      await using watch = f.watch(await f.revision());
      const expected = await someChanges(f, 4);
      assert.deepEqual(await watch.received(expected.length), expected);
      checkProgress(watch, expected);
    },
  ],
  [
    'a watch from a past revision reports everything since, then new events',
    async (f) => {
      const start = await f.revision();
      const past = await someChanges(f, 5);
      await using watch = f.watch(start);
      assert.deepEqual(await watch.received(past.length), past);
      const live = await someChanges(f, 2);
      assert.deepEqual(await watch.received(past.length + live.length), [...past, ...live]);
      checkProgress(watch, [...past, ...live]);
    },
  ],
  [
    'a watch from revision 0 reports all history of the store',
    async (f) => {
      const expected = await someChanges(f, 2);
      await using watch = f.watch(0);
      await watch.until(() => watch.events.length >= expected.length || watch.failure !== undefined);
      // A server shared with other tests may have compacted its first revisions, and must report it.
      if (watch.failure === undefined) assert.deepEqual(watch.events, expected);
      else assert.equal((watch.failure as { code?: string }).code, 'compacted');
    },
  ],
  [
    'a watch resumed after any revision repeats and loses no event',
    async (f) => {
      const start = await f.revision();
      const expected = await someChanges(f, 4);
      for (const event of [undefined, ...expected.slice(0, -1)]) {
        const after = event === undefined ? start : eventRevision(event);
        await using watch = f.watch(after);
        const rest = expected.filter((e) => eventRevision(e) > after);
        assert.deepEqual(await watch.received(rest.length), rest);
      }
    },
  ],
  [
    'a watch after a future revision waits and reports only later events',
    async (f) => {
      const future = (await f.revision()) + 5;
      await using watch = f.watch(future);
      const all = await someChanges(f, 3);
      const expected = all.filter((event) => eventRevision(event) > future);
      assert.deepEqual(await watch.received(expected.length), expected);
    },
  ],
  [
    'concurrent watches each report all events of their range and no others',
    async (f) => {
      const start = await f.revision();
      const ranges = [f.all, f.range('a', 'b'), f.range('b', 'c'), f.range('a1', 'b1'), f.range('x', 'y')];
      const watches = ranges.map((range) => f.watch(start, range));
      const [a, b] = await Promise.all([someChanges(f, 6, 'a'), someChanges(f, 6, 'b')]);
      const all = [...a, ...b].sort((x, y) => eventRevision(x) - eventRevision(y));
      for (const [i, range] of ranges.entries()) {
        const expected = all.filter((event) => eventKey(event) >= range.start && eventKey(event) < range.end);
        const watch = watches[i];
        assert.deepEqual(await watch?.received(expected.length), expected);
      }
      for (const watch of watches) await watch.stop();
      assert.deepEqual(watches[4]?.events, []);
    },
  ],
  [
    'a watch includes the start of its range and excludes its end',
    async (f) => {
      await using watch = f.watch(await f.revision(), f.range('b', 'd'));
      for (const name of ['a', 'b', 'c', 'd', 'cz']) await f.create(name);
      const events = await watch.received(3);
      assert.deepEqual(
        events.map((event) => eventKey(event)),
        ['b', 'c', 'cz'].map((name) => f.key(name)),
      );
    },
  ],
  [
    'progress is reported only when all events up to it were delivered',
    async (f) => {
      const start = await f.revision();
      await using watch = f.watch(start, f.range('a', 'b'));
      const work = Array.from({ length: 4 }, (_, i) => someChanges(f, 8, `a${i}`));
      const noise = Array.from({ length: 4 }, (_, i) => someChanges(f, 8, `z${i}`));
      const expected = (await Promise.all(work)).flat().sort((x, y) => eventRevision(x) - eventRevision(y));
      await Promise.all(noise);
      assert.deepEqual(await watch.received(expected.length), expected);
      checkProgress(watch, expected);
    },
  ],
  [
    'a list and a watch from its revision miss no event during writes',
    async (f) => {
      const start = await f.revision();
      const churn = ['a', 'b', 'c'].map((label) => someChanges(f, 12, label));
      const writers = Promise.all<unknown>([...churn, permanentChanges(f, 30)]);
      const page = await f.store.list(f.all, {}, f.signal);
      await using watch = f.watch(page.rev);
      await writers;
      await using check = f.watch(start);
      const rest = (await check.received(3 * 36 + 61)).filter((event) => eventRevision(event) > page.rev);
      const state = new Map(page.items.map((kv) => [kv.key, kv.modRevision]));
      for (const event of await watch.received(rest.length)) {
        if (event.type === 'put') state.set(event.kv.key, event.kv.modRevision);
        else state.delete(event.key);
      }
      const end = await f.store.list(f.all, {}, f.signal);
      assert.deepEqual([...state].sort(), end.items.map((kv) => [kv.key, kv.modRevision]).sort());
    },
  ],
  [
    'a slow consumer receives every event once',
    async (f) => {
      const stop = new AbortController();
      const iterator = f.store.watch(f.all, await f.revision(), AbortSignal.any([f.signal, stop.signal]));
      const expected = await someChanges(f, 60);
      const seen: KvEvent[] = [];
      for await (const batch of iterator) {
        seen.push(...batch.events);
        if (seen.length >= expected.length) stop.abort();
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.deepEqual(seen, expected);
    },
  ],
];
