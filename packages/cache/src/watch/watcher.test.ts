import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@orch/machinery/testing';
import { appFilter, everything, Fixture, fieldFilter } from '../testing/fixture.ts';
import { Recorder } from '../testing/recorder.ts';
import { Writer } from '../testing/writer.ts';

const all = { prefix: '' };

describe('Watcher of a resource', () => {
  it('events after the start revision are delivered in order, at most once per tick', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const start = await writer.put('ns1/a');
    await f.synced();
    const query = { scope: all, filter: everything };
    const r = await new Recorder().start(
      f.pods,
      { ...query, start: { kind: 'after', rev: start }, bookmarks: false },
      f.signal,
    );
    await writer.put('ns1/a', { node: 'n1' });
    await writer.put('ns1/b');
    const last = await writer.delete('ns1/a');
    await f.synced();
    assert.deepEqual(r.seen, writer.eventsBetween(start, last, query));
    assert.deepEqual(r.deliveries, [3]);
  });

  it('a modification is delivered as ADDED or DELETED when the object starts or stops matching the filter', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const queries = [
      { scope: all, filter: appFilter('x') },
      { scope: all, filter: fieldFilter('spec.nodeName', 'n1') },
      { scope: { prefix: 'ns1/' }, filter: fieldFilter('metadata.name', 'a') },
      { scope: { prefix: '', exact: 'ns1/a' }, filter: everything },
      { scope: { prefix: 'ns2/' }, filter: everything },
      { scope: all, filter: fieldFilter('metadata.namespace', 'ns1') },
    ];
    const recorders = await Promise.all(
      queries.map((q) =>
        new Recorder().start(f.pods, { ...q, start: { kind: 'after', rev: 1 }, bookmarks: false }, f.signal),
      ),
    );
    await writer.put('ns1/a', { app: 'x', node: 'n1' });
    await writer.put('ns1/a', { app: 'y', node: 'n2' });
    await writer.put('ns2/a', { app: 'x', node: 'n1' });
    await writer.put('ns1/a', { app: 'x', node: 'n1' });
    await writer.delete('ns1/a');
    await writer.put('ns2/a', { app: 'x', node: 'n3' });
    await f.synced();
    for (const [i, query] of queries.entries()) {
      assert.deepEqual(recorders[i]?.seen, writer.eventsBetween(1, 1e9, query), `query ${i}`);
    }
  });

  it('a watch from the state delivers the state, a bookmark, and then all later events', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    for (let i = 0; i < 600; i++) await writer.put(`ns${i % 3}/pod-${i}`, { app: `app${i % 2}` });
    await f.synced();
    const rev = f.cache.revision();
    const query = { scope: { prefix: 'ns1/' }, filter: appFilter('app1') };
    const r = await new Recorder().start(
      f.pods,
      { ...query, start: { kind: 'state', initialEventsEnd: true }, bookmarks: true },
      f.signal,
    );
    await writer.delete('ns1/pod-1');
    await writer.put('ns1/pod-7', { app: 'app1', node: 'n' });
    await f.synced();
    await settle();
    const state = writer.stateAt(rev, query.scope, query.filter).map((o) => ({ type: 'ADDED', ...o }));
    const expected = [...state, ...writer.eventsBetween(rev, 1e9, query)].map(({ type, rev: at, key }) => ({
      type,
      rev: at,
      key,
    }));
    assert.deepEqual(r.seen, expected);
    assert.deepEqual(r.items[state.length], { type: 'BOOKMARK', rev, initialEventsEnd: true });
  });

  it('watches with bookmarks that are up to date get one on request, whatever they select', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const watch = (bookmarks: boolean) =>
      new Recorder().start(
        f.pods,
        { scope: all, filter: appFilter('none'), start: { kind: 'after', rev: 1 }, bookmarks },
        f.signal,
      );
    const [asked, other] = [await watch(true), await watch(false)];
    const rev = await writer.put('ns1/a', { app: 'x' });
    await f.synced();
    f.cache.bookmark();
    await settle();
    assert.deepEqual([asked.bookmarks, other.bookmarks], [[rev], []]);
  });

  it('bookmarks are delivered each minute without events, and before a clean end', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const query = { scope: { prefix: 'ns1/' }, filter: everything };
    const r = await new Recorder().start(
      f.pods,
      { ...query, start: { kind: 'after', rev: 1 }, bookmarks: true },
      f.signal,
    );
    const quiet = await new Recorder().start(
      f.pods,
      { ...query, start: { kind: 'after', rev: 1 }, bookmarks: false },
      f.signal,
    );
    const elsewhere = await writer.put('ns2/a');
    await f.pass(61_000);
    assert.deepEqual(r.bookmarks, [elsewhere]);
    await writer.put('ns1/a');
    await f.pass(30_000);
    assert.equal(r.bookmarks.length, 1);
    const last = await writer.put('ns2/b');
    await f.synced();
    f.cache.drain();
    assert.deepEqual(r.bookmarks, [elsewhere, last]);
    assert.deepEqual([r.ended, quiet.ended, quiet.bookmarks], ['drained', 'drained', []]);
    const late = await new Recorder().start(
      f.pods,
      { ...query, start: { kind: 'after', rev: 1 }, bookmarks: true },
      f.signal,
    );
    await settle();
    assert.equal(late.ended, 'drained');
  });

  it('a watch from a future revision delivers only events after that revision', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const r = await new Recorder().start(
      f.pods,
      { scope: all, filter: everything, start: { kind: 'after', rev: 4 }, bookmarks: true },
      f.signal,
    );
    for (const name of ['a', 'b', 'c', 'd', 'e']) await writer.put(`ns1/${name}`);
    await f.synced();
    assert.deepEqual(r.seen, writer.eventsBetween(4, 1e9, { scope: all, filter: everything }));
    assert.ok(r.seen.length > 0);
  });

  it('items for a blocked sink are delivered completely after it resumes', async () => {
    await using f = await Fixture.open({ cache: { watcherItems: 10 } });
    const writer = new Writer(f.model);
    const r = new Recorder();
    r.blocking = true;
    await r.start(
      f.pods,
      { scope: all, filter: everything, start: { kind: 'after', rev: 1 }, bookmarks: true },
      f.signal,
    );
    for (let i = 0; i < 400; i++) await writer.put(`ns1/pod-${i % 20}`, { node: `n${i}` });
    await f.synced();
    assert.ok(r.seen.length < 300);
    for (let i = 0; i < 50; i++) {
      r.resume();
      await settle();
    }
    assert.deepEqual(r.seen, writer.eventsBetween(1, 1e9, { scope: all, filter: everything }));
  });

  it('a watch ends as slow when its sink is blocked for too long', async () => {
    await using f = await Fixture.open({ cache: { watcherItems: 10, stallMs: 20_000 } });
    const writer = new Writer(f.model);
    const r = new Recorder();
    r.blocking = true;
    await r.start(
      f.pods,
      { scope: all, filter: everything, start: { kind: 'after', rev: 1 }, bookmarks: true },
      f.signal,
    );
    for (let i = 0; i < 5; i++) await writer.put(`ns1/pod-${i}`);
    await f.synced();
    await writer.put('ns1/more');
    await f.pass(10_000);
    assert.equal(r.ended, undefined);
    await f.pass(12_000);
    assert.equal(r.ended, 'slow');
  });

  it('events that the event history has evicted are delivered from the store', async () => {
    await using f = await Fixture.open({ cache: { historyBytes: 4000 } });
    const writer = new Writer(f.model);
    const start = await writer.put('ns1/first', { app: 'x' });
    for (let i = 0; i < 100; i++)
      await writer.put(`ns${i % 2}/pod-${i % 10}`, { app: `app${i % 3}`, node: `n${i % 4}` });
    await writer.delete('ns1/first');
    writer.deleteTogether(['ns0/pod-0', 'ns1/pod-1']);
    await f.synced();
    const queries = [
      { scope: all, filter: everything },
      { scope: all, filter: appFilter('app1') },
      { scope: { prefix: 'ns1/' }, filter: fieldFilter('spec.nodeName', 'n1') },
    ];
    const recorders = await Promise.all(
      queries.map((q) =>
        new Recorder().start(
          f.pods,
          { ...q, start: { kind: 'after', rev: start }, bookmarks: false },
          f.signal,
        ),
      ),
    );
    await writer.put('ns1/last', { app: 'app1', node: 'n1' });
    for (let i = 0; i < 20; i++) await f.synced();
    for (const [i, query] of queries.entries()) {
      assert.deepEqual(recorders[i]?.seen, writer.eventsBetween(start, 1e9, query), `query ${i}`);
    }
    assert.equal(f.store.calls.watch, 2, 'one watch of the store serves all that resume together');
  });

  it('a blocked sink does not delay other watchers that catch up from the store', async () => {
    await using f = await Fixture.open({ cache: { historyBytes: 2000, maxStoreReads: 1 } });
    const writer = new Writer(f.model);
    const start = await writer.put('ns1/first');
    for (let i = 0; i < 3000; i++) await writer.put(`ns1/pod-${i % 50}`);
    await f.synced();
    const query = { scope: all, filter: everything };
    const open = (blocking: boolean): Promise<Recorder> => {
      const r = new Recorder();
      r.blocking = blocking;
      return r.start(f.pods, { ...query, start: { kind: 'after', rev: start }, bookmarks: false }, f.signal);
    };
    const [slow, stuck] = await Promise.all([open(true), open(true)]);
    await f.pass(2000);
    const quick = await open(false);
    for (let i = 0; i < 20; i++) {
      slow.resume();
      await f.pass(100);
    }
    const expected = writer.eventsBetween(start, 1e9, query);
    assert.deepEqual(quick.seen, expected);
    assert.deepEqual(slow.seen, expected);
    assert.ok(slow.deliveries.length > 2);
    assert.deepEqual(stuck.seen, expected.slice(0, stuck.seen.length));
    assert.equal(stuck.deliveries.length, 1);
  });

  it('a watch is rejected as compacted when neither cache nor store has its history', async () => {
    await using f = await Fixture.open({ cache: { historyBytes: 1000 } });
    const writer = new Writer(f.model);
    for (let i = 0; i < 50; i++) await writer.put(`ns1/pod-${i % 5}`);
    await f.synced();
    await f.model.compact(40, f.signal);
    const r = new Recorder();
    const query = {
      scope: all,
      filter: everything,
      start: { kind: 'after', rev: 3 } as const,
      bookmarks: false,
    };
    await assert.rejects(r.start(f.pods, query, f.signal), { code: 'compacted' });
    await settle();
    assert.equal(r.ended, undefined);
  });

  it('a watch is rejected when the store does not send its history in time', async () => {
    await using f = await Fixture.open({ cache: { historyBytes: 1000 } });
    const writer = new Writer(f.model);
    for (let i = 0; i < 50; i++) await writer.put(`ns1/pod-${i % 5}`);
    await f.synced();
    const query = {
      scope: all,
      filter: everything,
      start: { kind: 'after', rev: 3 } as const,
      bookmarks: false,
    };
    f.store.hold();
    const refused = assert.rejects(new Recorder().start(f.pods, query, f.signal), { code: 'compacted' });
    await f.pass(11_000);
    await refused;
    f.store.release();
    f.store.down = true;
    await assert.rejects(new Recorder().start(f.pods, query, f.signal), { code: 'unavailable' });
  });

  it('drain delivers pending items, then a bookmark that skips no event, then the end', async () => {
    await using f = await Fixture.open({ cache: { watcherItems: 10 } });
    const writer = new Writer(f.model);
    const open = async (): Promise<Recorder> => {
      const r = new Recorder();
      r.blocking = true;
      const query = {
        scope: all,
        filter: everything,
        start: { kind: 'after', rev: 1 } as const,
        bookmarks: true,
      };
      return r.start(f.pods, query, f.signal);
    };
    const [waiting, behind] = await Promise.all([open(), open()]);
    await f.synced();
    const first = await writer.put('ns1/a');
    await f.synced();
    const second = await writer.put('ns1/b');
    await f.synced();
    waiting.drain();
    assert.deepEqual(waiting.bookmarks, [second]);
    assert.deepEqual(waiting.seen, writer.eventsBetween(1, second, { scope: all, filter: everything }));
    for (let i = 0; i < 20; i++) await writer.put(`ns1/more-${i}`);
    await f.synced();
    behind.drain();
    assert.deepEqual(behind.bookmarks, [first], 'what follows the first event was never delivered');
    assert.deepEqual([waiting.ended, behind.ended], ['drained', 'drained']);
    await writer.put('ns1/late');
    await f.synced();
    assert.equal(waiting.seen.length, 2);
  });

  it('watches of a resource that is removed receive all events in memory before the end, also when they are behind', async () => {
    await using f = await Fixture.open({ cache: { watcherItems: 10 } });
    const writer = new Writer(f.model);
    const r = new Recorder();
    r.blocking = true;
    const query = { scope: all, filter: everything };
    await r.start(f.pods, { ...query, start: { kind: 'after', rev: 1 }, bookmarks: true }, f.signal);
    for (let i = 0; i < 400; i++) await writer.put(`ns1/pod-${i % 20}`, { node: `n${i}` });
    const last = await writer.delete('ns1/pod-0');
    await f.synced();
    assert.ok(r.seen.length < 300);
    f.cache.removeResource('pods');
    assert.deepEqual(r.seen, writer.eventsBetween(1, 1e9, query));
    assert.deepEqual([r.bookmarks, r.ended], [[last], 'drained']);
  });

  it('sinks may throw, close their watch or resume it during deliver', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const query = {
      scope: all,
      filter: everything,
      start: { kind: 'after', rev: 1 } as const,
      bookmarks: true,
    };
    let taken = 0;
    const throwing = { deliver: () => assert.fail('out of order'), end: () => assert.fail('must not end') };
    await f.pods.watch(query, throwing, f.signal);
    const closing = await f.pods.watch(
      query,
      {
        deliver: () => {
          closing.close();
          taken++;
          return true;
        },
        end: () => assert.fail(),
      },
      f.signal,
    );
    const resuming = await f.pods.watch(
      query,
      {
        deliver: (items) => {
          taken += items.length * 10;
          resuming.resume();
          return false;
        },
        end: () => undefined,
      },
      f.signal,
    );
    const steady = await new Recorder().start(f.pods, query, f.signal);
    for (const name of ['a', 'b', 'c']) {
      await writer.put(`ns1/${name}`);
      await f.synced();
    }
    assert.equal(taken, 31);
    assert.equal(steady.seen.length, 3);
    assert.equal(f.env.entries.filter((entry) => entry['msg'] === 'a watch failed').length, 1);
  });

  it('a watch ends when its filter throws, and other watches continue', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const start = { kind: 'after', rev: 1 } as const;
    const bad = { ...everything, everything: false, matchesFields: () => assert.fail('a bad filter') };
    const broken = await new Recorder().start(
      f.pods,
      { scope: all, filter: bad, start, bookmarks: true },
      f.signal,
    );
    const steady = await new Recorder().start(
      f.pods,
      { scope: all, filter: everything, start, bookmarks: true },
      f.signal,
    );
    await f.synced();
    await writer.put('ns1/a');
    await f.synced();
    assert.deepEqual([broken.ended, steady.ended, steady.seen.length], ['expired', undefined, 1]);
  });

  it('an abort of the signal closes the watch', async () => {
    await using f = await Fixture.open();
    const request = new AbortController();
    const query = {
      scope: all,
      filter: everything,
      start: { kind: 'after', rev: 1 } as const,
      bookmarks: true,
    };
    const r = await new Recorder().start(f.pods, query, request.signal);
    request.abort();
    await new Writer(f.model).put('ns1/a');
    await f.synced();
    assert.deepEqual([r.items.length, r.ended], [0, undefined]);
    assert.match(f.env.metrics.text(), /watch_cache_watchers\{resource="pods"\} 0/);
  });
});
