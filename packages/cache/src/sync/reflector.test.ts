import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, testEnv } from '@orch/machinery/testing';
import { ModelStore } from '@orch/storage';
import { everything, Fixture, fieldsOf, PREFIX, podsResource } from '../testing/fixture.ts';
import { Recorder } from '../testing/recorder.ts';
import { UnrulyStore } from '../testing/unruly-store.ts';
import { Writer } from '../testing/writer.ts';
import { createWatchCache } from '../watch-cache.ts';

const all = { scope: { prefix: '' }, filter: everything };

function watchFrom(f: Fixture, rev: number): Promise<Recorder> {
  return new Recorder().start(f.pods, { ...all, start: { kind: 'after', rev }, bookmarks: false }, f.signal);
}

async function states(f: Fixture): Promise<readonly { key: string; rev: number }[]> {
  const page = await f.pods.list(all, f.signal);
  return page.objects.map(({ key, rev }) => ({ key, rev }));
}

describe('Reflector of the store', () => {
  it('existing objects are loaded in pages, and keys of unknown resources are skipped', async () => {
    await using first = await Fixture.open();
    const writer = new Writer(first.model);
    for (let i = 0; i < 50; i++) await writer.put(`ns1/pod-${i}`, { padding: 'x'.repeat(200) });
    const strange = await new Writer(first.model, 'strangers').put('ns1/a');
    await using second = await Fixture.open({ model: first.model, cache: { pageBytes: 1000 } });
    assert.equal(second.cache.revision(), strange);
    assert.deepEqual(await states(second), writer.stateAt(strange, all.scope, all.filter));
    assert.equal(second.pods.count(), 50);
    await new Writer(first.model, 'strangers').put('ns1/b');
    await second.synced();
    assert.equal(second.cache.resource(`${PREFIX}pods/`), second.pods);
    assert.equal(second.cache.resource('strangers'), undefined);
  });

  it('reads are served while the store is unavailable, and the watch of the store then resumes without a gap', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const start = await writer.put('ns1/a');
    await f.synced();
    const r = await watchFrom(f, start);
    f.store.down = true;
    await writer.put('ns1/b');
    await settle();
    await writer.put('ns1/c');
    await f.pass(30_000);
    assert.equal((await states(f)).length, 1);
    assert.ok(f.store.calls.watch > 3, 'it tries again');
    assert.ok(f.store.calls.watch < 40, 'it waits longer and longer');
    f.store.down = false;
    await f.pass(11_000);
    await f.synced();
    assert.deepEqual(r.seen, writer.eventsBetween(start, 1e9, all));
    assert.equal(r.ended, undefined);
  });

  it('lost history causes a rebuild; the old state is served until then, and watches that missed events end', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    for (const name of ['a', 'b', 'c']) await writer.put(`ns1/${name}`);
    await f.synced();
    const r = await watchFrom(f, f.cache.revision());
    f.store.down = true;
    await writer.put('ns1/a', { node: 'first' });
    await settle();
    await writer.put('ns1/a', { node: 'second' });
    await writer.delete('ns1/b');
    const kept = await writer.put('ns1/d');
    await f.model.compact(kept, f.signal);
    const old = await states(f);
    assert.equal(old.length, 3);
    f.store.down = false;
    await f.pass(11_000);
    await f.synced();
    assert.equal(r.ended, 'expired');
    assert.deepEqual(await states(f), writer.stateAt(kept, all.scope, all.filter));
    await assert.rejects(watchFrom(f, kept - 1), { code: 'compacted' });
    const next = await watchFrom(f, kept);
    await writer.put('ns1/e');
    await f.synced();
    assert.deepEqual(next.seen, writer.eventsBetween(kept, 1e9, all));
  });

  it('watches receive the differences when a rebuild proves that no other event was missed', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const start = await writer.put('ns1/a');
    await f.synced();
    const r = await watchFrom(f, start);
    f.store.down = true;
    await writer.put('ns1/a', { node: 'n1' });
    await settle();
    await writer.put('ns1/b');
    const last = await writer.put('ns2/c');
    await f.model.compact(last, f.signal);
    f.store.down = false;
    await f.pass(11_000);
    await f.synced();
    assert.equal(r.ended, undefined);
    assert.deepEqual(r.seen, writer.eventsBetween(start, last, all));
    assert.deepEqual((await watchFrom(f, start)).ended, undefined);
  });

  it('a resource can be added while the cache runs, without missing concurrent writes, and removed again', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model, 'things');
    for (let i = 0; i < 500; i++) await writer.put(`ns1/thing-${i}`);
    const adding = f.cache.addResource(podsResource('things'), f.signal);
    const things = f.resource('things');
    assert.equal(things.isFresh({ kind: 'any' }), false);
    for (let i = 0; i < 20; i++) await writer.put(`ns1/more-${i}`);
    await writer.delete('ns1/thing-7');
    await adding;
    await f.synced();
    const page = await things.list(all, f.signal);
    const got = page.objects.map(({ key, rev }) => ({ key, rev }));
    assert.deepEqual(got, writer.stateAt(page.rev, all.scope, all.filter));
    const r = await new Recorder().start(
      things,
      { ...all, start: { kind: 'state', initialEventsEnd: false }, bookmarks: true },
      f.signal,
    );
    f.cache.removeResource('things');
    assert.equal(r.ended, 'drained');
    assert.equal(f.cache.resource('things'), undefined);
    await writer.put('ns1/later');
    await f.synced();
    await assert.rejects(f.cache.addResource(podsResource('pods'), f.signal), /cached already/);
  });

  it('a watch that reads the history of the store fails when its resource is removed meanwhile', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model, 'things');
    const start = await writer.put('ns1/a');
    await writer.put('ns1/b');
    await f.synced();
    await f.cache.addResource(podsResource('things'), f.signal);
    await writer.put('ns1/c');
    await f.synced();
    const query = { ...all, start: { kind: 'after', rev: start }, bookmarks: true } as const;
    const starting = new Recorder().start(f.resource('things'), query, f.signal);
    f.cache.removeResource('things');
    await assert.rejects(starting, /things is no longer cached/);
  });

  it('a resource that is removed between two events ends its watches with a bookmark that does not go back', async () => {
    await using f = await Fixture.open();
    const [pods, things] = [new Writer(f.model), new Writer(f.model, 'things')];
    await f.cache.addResource(podsResource('things'), f.signal);
    await f.synced();
    const query = { ...all, start: { kind: 'state', initialEventsEnd: false }, bookmarks: true } as const;
    const watching = await new Recorder().start(f.pods, query, f.signal);
    await f.synced();
    f.resource('things').subscribe({
      changed: () => f.cache.removeResource('pods'),
      replaced: () => undefined,
    });
    // After a reconnection the events that were missed arrive together.
    f.store.down = true;
    const rev = await pods.put('ns1/a');
    await things.put('ns1/b');
    f.store.down = false;
    await f.pass(11_000);
    await f.synced();
    const bookmark = watching.items.at(-1);
    assert.deepEqual([watching.ended, bookmark?.type], ['drained', 'BOOKMARK']);
    assert.ok((bookmark?.rev ?? 0) >= rev, `${bookmark?.rev} is before ${rev}`);
  });

  it('unreadable stored bytes are served as a replacement object and counted', async () => {
    await using f = await Fixture.open();
    const write = {
      op: 'create',
      key: `${PREFIX}pods/ns1/broken`,
      value: Buffer.from('{"not json'),
    } as const;
    const done = await f.model.commit(write, f.signal);
    await f.synced();
    const object = f.pods.get('ns1/broken');
    assert.equal(object?.corrupt, true);
    assert.deepEqual(JSON.parse(object?.json().toString() ?? ''), {
      metadata: { name: 'broken', namespace: 'ns1', resourceVersion: String(done.rev) },
    });
    assert.deepEqual(object && fieldsOf(f.pods, object), ['broken', 'ns1', '']);
    assert.match(f.env.metrics.text(), /watch_cache_corrupt_objects_total\{resource="pods"\} 1/);
  });

  it('the gauge of unreadable objects counts those that are unreadable now', async () => {
    await using f = await Fixture.open();
    const shown = (count: number): void =>
      assert.match(
        f.env.metrics.text(),
        new RegExp(`watch_cache_unreadable_objects\\{resource="pods"\\} ${count}\n`),
      );
    const write = async (name: string, value: string): Promise<void> => {
      const expected = f.pods.get(`ns1/${name}`)?.rev;
      const write = { key: `${PREFIX}pods/ns1/${name}`, value: Buffer.from(value) };
      const done = await f.model.commit(
        expected === undefined ? { op: 'create', ...write } : { op: 'update', ...write, expected },
        f.signal,
      );
      assert.ok(done.ok);
      await f.synced();
    };
    for (const name of ['a', 'b', 'c']) await write(name, '{');
    shown(3);
    await write('a', '[');
    shown(3);
    await write(
      'b',
      '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b","namespace":"ns1"},"spec":{"nodeName":"n"}}',
    );
    shown(2);
    const expected = f.pods.get('ns1/c')?.rev ?? 0;
    await f.model.commit({ op: 'delete', key: `${PREFIX}pods/ns1/c`, expected }, f.signal);
    await f.synced();
    shown(1);
  });

  it('objects that could not be read are read again on demand, and the watches that select them end', async () => {
    let isLocked = true;
    const pods = podsResource();
    const ingest = (...args: Parameters<typeof pods.ingest>) => {
      if (isLocked && args[2].startsWith('ns1/locked')) throw new Error('locked');
      return pods.ingest(...args);
    };
    await using f = await Fixture.open({ resources: [{ ...pods, ingest }] });
    const writer = new Writer(f.model);
    for (const name of ['ns1/locked', 'ns1/locked-too', 'ns1/open']) await writer.put(name);
    await f.synced();
    const start = { kind: 'after', rev: f.cache.revision() } as const;
    const touched = await watchFrom(f, f.cache.revision());
    const query = { scope: { prefix: 'ns2/' }, filter: everything };
    const untouched = await new Recorder().start(f.pods, { ...query, start, bookmarks: true }, f.signal);
    assert.equal(await f.cache.readCorruptAgain(f.signal), 0);
    assert.equal(f.pods.get('ns1/locked')?.corrupt, true);
    isLocked = false;
    await writer.put('ns1/locked-too');
    await f.synced();
    assert.equal(await f.cache.readCorruptAgain(f.signal), 1);
    assert.deepEqual(await states(f), writer.stateAt(1e9, all.scope, all.filter));
    assert.deepEqual([touched.ended, untouched.ended], ['expired', undefined]);
    await assert.rejects(watchFrom(f, start.rev), { code: 'compacted' });
    assert.equal(await f.cache.readCorruptAgain(f.signal), 0);
  });

  it('a difference from the store is detected and repaired, and the watches that missed an event end', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    for (const name of ['a', 'b', 'c']) await writer.put(`ns1/${name}`);
    await f.synced();
    assert.deepEqual(await f.cache.verify(f.signal), { rev: f.cache.revision(), compared: 3, mismatches: 0 });
    const touched = await watchFrom(f, f.cache.revision());
    const query = { scope: { prefix: 'ns2/' }, filter: everything };
    const start = { kind: 'after', rev: f.cache.revision() } as const;
    const untouched = await new Recorder().start(f.pods, { ...query, start, bookmarks: true }, f.signal);
    f.store.losing = true;
    await writer.put('ns1/a', { node: 'n1' });
    await writer.delete('ns1/b');
    await writer.put('ns1/d');
    await f.synced();
    f.store.losing = false;
    assert.equal((await states(f)).length, 3);
    const digest = await f.cache.verify(f.signal);
    assert.equal(digest.mismatches, 3);
    assert.deepEqual(await states(f), writer.stateAt(1e9, all.scope, all.filter));
    assert.deepEqual([touched.ended, untouched.ended], ['expired', undefined]);
    await assert.rejects(watchFrom(f, start.rev), { code: 'compacted' });
    assert.equal((await f.cache.verify(f.signal)).mismatches, 0);
    assert.match(f.env.metrics.text(), /watch_cache_digest_mismatches_total\{resource="pods"\} 3/);
    assert.match(f.env.metrics.text(), /watch_cache_digest_runs_total\{status="mismatch"\} 1/);
  });

  it('the cache is compared with the store periodically', async () => {
    await using f = await Fixture.open({ cache: { digestMs: 60_000 } });
    const writer = new Writer(f.model);
    await writer.put('ns1/a');
    await f.synced();
    f.store.losing = true;
    await writer.put('ns1/b');
    await f.synced();
    f.store.losing = false;
    assert.equal(f.pods.count(), 1);
    await f.pass(91_000);
    assert.equal(f.pods.count(), 2);
  });

  it('run resolves and watches end when the signal aborts; run rejects when the store is closed', async () => {
    const f = await Fixture.open();
    const r = await new Recorder().start(
      f.pods,
      { ...all, start: { kind: 'after', rev: 1 }, bookmarks: true },
      f.signal,
    );
    await f[Symbol.asyncDispose]();
    assert.equal(r.ended, undefined, 'the watch was closed by its own signal');
    const { env } = f;
    const store = new ModelStore({ clock: env.clock });
    const cache = createWatchCache({ store, prefix: PREFIX, resources: [podsResource()], env });
    const run = assert.rejects(cache.run(new AbortController().signal), { code: 'closed' });
    await cache.ready(new AbortController().signal);
    await store.close();
    await run;
  });

  it('run rejects when the revision of the store decreased', async () => {
    const env = testEnv();
    const model = new ModelStore({ clock: env.clock });
    const store = new UnrulyStore(model);
    const cache = createWatchCache({ store, prefix: PREFIX, resources: [podsResource()], env });
    const { signal } = new AbortController();
    await new Writer(model).put('ns1/a');
    const run = assert.rejects(cache.run(signal), { code: 'corrupt' });
    await cache.ready(signal);
    store.wentBackBy = 1;
    await assert.rejects(async () => cache.resource('pods')?.waitFresh({ kind: 'mostRecent' }, signal), {
      code: 'corrupt',
    });
    await run;
    await model.close();
  });

  it('resources with overlapping or invalid prefixes are rejected', () => {
    const env = testEnv();
    const store = new ModelStore({ clock: env.clock });
    const inner = { ...podsResource(), name: 'inner', prefix: `${PREFIX}pods/inner/` };
    const outside = { ...podsResource(), prefix: '/elsewhere/pods/' };
    const unknownIndex = { ...podsResource(), indexedFields: ['spec.unknown'] };
    for (const resources of [[podsResource(), inner], [outside], [unknownIndex]]) {
      assert.throws(() => createWatchCache({ store, prefix: PREFIX, resources, env }));
    }
  });
});
