import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, settle } from '@orch/machinery/testing';
import { ModelStore } from '@orch/storage';
import {
  everything,
  Fixture,
  type FixtureOptions,
  fieldsOf,
  PREFIX,
  podsResource,
} from '../testing/fixture.ts';
import { Recorder } from '../testing/recorder.ts';
import { Writer } from '../testing/writer.ts';
import type { CachedObject, CachedResource, ResourceCache } from '../types.ts';

/** The caches of two threads over one store: the second one follows the first one. */
class Threads implements AsyncDisposable {
  readonly model: ModelStore;
  readonly first: Fixture;
  readonly further: Fixture;
  readonly writer: Writer;

  private constructor(writer: Writer, fixtures: Pick<Threads, 'model' | 'first' | 'further'>) {
    this.model = fixtures.model;
    this.first = fixtures.first;
    this.further = fixtures.further;
    this.writer = writer;
  }

  static async open(
    options: {
      readonly first?: FixtureOptions;
      readonly further?: FixtureOptions;
      readonly before?: (writer: Writer) => Promise<unknown>;
    } = {},
  ): Promise<Threads> {
    const model = new ModelStore({ clock: new FakeClock() });
    const writer = new Writer(model);
    await options.before?.(writer);
    const first = await Fixture.open({ ...options.first, model, feeds: true });
    const further = await Fixture.open({ ...options.further, model, follows: first });
    return new Threads(writer, { model, first, further });
  }

  /** Waits until both threads have all events. */
  async synced(): Promise<void> {
    await this.first.synced();
    await this.further.synced();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.further[Symbol.asyncDispose]();
    await this.first[Symbol.asyncDispose]();
    await this.model.close();
  }
}

async function objectsOf(resource: ResourceCache): Promise<readonly CachedObject[]> {
  const { objects } = await resource.list(
    { scope: { prefix: '' }, filter: everything },
    AbortSignal.timeout(60_000),
  );
  return objects;
}

const contents = async (resource: ResourceCache) =>
  (await objectsOf(resource)).map((object) => ({
    key: object.key,
    rev: object.rev,
    labels: { ...object.labels.labels },
    fields: fieldsOf(resource, object),
    corrupt: object.corrupt,
  }));

const texts = async (resource: ResourceCache): Promise<readonly string[]> =>
  (await objectsOf(resource)).map((object) => object.json().toString());

const isShared = (object: CachedObject): boolean => object.json().buffer instanceof SharedArrayBuffer;

/** Threads have different objects for the same shared memory: a byte that one writes is there for the other. */
function isSameMemory(one: CachedObject, other: CachedObject): boolean {
  const [a, b] = [one.json(), other.json()];
  const first = a.readUInt8(0);
  a.writeUInt8(first ^ 1, 0);
  const isSame = b.readUInt8(0) === (first ^ 1);
  a.writeUInt8(first, 0);
  return isSame;
}

const writePods = async (writer: Writer, count: number, padding = ''): Promise<void> => {
  for (let i = 0; i < count; i++)
    await writer.put(`ns${i % 3}/pod-${i}`, { app: `app${i % 5}`, node: `node${i % 7}`, padding });
};

describe('ObjectFeed to further threads', () => {
  it('a thread loads the objects of the first one without copying them', async () => {
    await using threads = await Threads.open({ before: (writer) => writePods(writer, 1500) });
    assert.deepEqual(await contents(threads.further.pods), await contents(threads.first.pods));
    assert.deepEqual(await texts(threads.further.pods), await texts(threads.first.pods));
    const [mine] = await objectsOf(threads.further.pods);
    const [others] = await objectsOf(threads.first.pods);
    assert.equal((await objectsOf(threads.further.pods)).filter(isShared).length, 1500);
    assert.ok(mine && others && isSameMemory(mine, others));
    assert.equal(threads.further.store.calls.scan, 0);
  });

  it('a thread receives every event of the first one, with its bytes in place', async () => {
    await using threads = await Threads.open();
    const recorder = new Recorder();
    const start = { kind: 'after', rev: threads.further.cache.revision() } as const;
    const query = { scope: { prefix: '' }, filter: everything, bookmarks: false, start };
    await recorder.start(threads.further.pods, query, threads.further.signal);
    const { writer } = threads;
    await writePods(writer, 40);
    await writePods(writer, 20, 'changed');
    for (const key of writer.keys.slice(0, 5)) await writer.delete(key);
    await threads.synced();
    assert.deepEqual(
      [...recorder.seen],
      writer.eventsBetween(start.rev, threads.first.cache.revision(), query),
    );
    assert.ok((await objectsOf(threads.further.pods)).every(isShared));
    assert.equal(threads.further.store.calls.watch, 0);
  });

  it('a thread keeps no slab that the first one has compacted', async () => {
    await using threads = await Threads.open();
    const { writer } = threads;
    for (let round = 0; round < 30; round++) {
      await writePods(writer, 60, `${round}`.padEnd(8000, 'x'));
      await threads.synced();
    }
    await threads.first.pass(400_000);
    await threads.further.pass(400_000);
    await threads.first.pass(2000);
    await threads.writer.put('ns/last');
    await threads.synced();
    const [mine, others] = [await objectsOf(threads.further.pods), await objectsOf(threads.first.pods)];
    assert.equal(mine.length, others.length);
    for (const [i, object] of mine.entries())
      assert.ok(others[i] && isSameMemory(object, others[i]), object.key);
    assert.deepEqual(await texts(threads.further.pods), await texts(threads.first.pods));
  });

  it('a consistent read of a thread sees a write that was acknowledged before', async () => {
    await using threads = await Threads.open();
    for (let i = 0; i < 20; i++) {
      const rev = await threads.writer.put(`ns/pod-${i}`);
      await threads.further.pods.waitFresh({ kind: 'mostRecent' }, threads.further.signal);
      assert.equal(threads.further.pods.get(`ns/pod-${i}`)?.rev, rev);
    }
  });

  it('a thread that waits for a revision of another prefix makes the first one learn of it', async () => {
    await using threads = await Threads.open();
    const { first, further, model } = threads;
    first.store.silent = true;
    await model.commit({ op: 'create', key: '/other', value: Buffer.from('x') }, first.signal);
    const before = first.store.calls.currentRevision;
    const read = further.pods.waitFresh({ kind: 'mostRecent' }, further.signal);
    for (let i = 0; i < 20; i++) await settle();
    await further.env.clock.advanceAsync(30);
    for (let i = 0; i < 1000 && first.store.calls.currentRevision === before; i++) await settle();
    assert.equal(first.store.calls.currentRevision, before + 1);
    first.store.silent = false;
    await threads.writer.put('ns/next');
    await read;
  });

  it('a thread that is too far behind loads the state again', async () => {
    await using threads = await Threads.open({ first: { maxCost: 20 } });
    const recorder = new Recorder();
    const start = { kind: 'after', rev: threads.further.cache.revision() } as const;
    await recorder.start(
      threads.further.pods,
      { scope: { prefix: '' }, filter: everything, bookmarks: false, start },
      threads.further.signal,
    );
    await writePods(threads.writer, 300);
    await threads.writer.delete('ns0/pod-0');
    await threads.first.synced();
    for (let i = 0; i < 50; i++) {
      await settle();
      await threads.further.pass(1000);
    }
    await threads.writer.put('ns/last');
    await threads.synced();
    assert.equal(recorder.ended, 'expired');
    assert.deepEqual(await contents(threads.further.pods), await contents(threads.first.pods));
    assert.ok((await objectsOf(threads.further.pods)).every(isShared));
  });

  it('a thread follows the first one when that has to list the store again', async () => {
    await using threads = await Threads.open({ before: (writer) => writePods(writer, 50) });
    const { first, further, model } = threads;
    const writer = new Writer(model, 'leases');
    await writer.put('ns/before');
    await threads.synced();
    first.store.down = true;
    const rev = await writer.put('ns/missed');
    await writer.delete('ns/missed');
    const last = await writer.put('ns/after');
    await model.compact(last, first.signal);
    first.store.hold();
    first.store.release();
    for (let i = 0; i < 20; i++) await settle();
    first.store.down = false;
    for (let i = 0; i < 30; i++) {
      await first.pass(1000);
      await further.pass(1000);
    }
    await threads.synced();
    assert.ok(rev < last);
    assert.deepEqual(await contents(further.resource('leases')), await contents(first.resource('leases')));
    assert.deepEqual(await contents(further.pods), await contents(first.pods));
  });

  it('a resource that is added to both threads is followed, whichever thread adds it first', async () => {
    for (const order of [
      ['first', 'further'],
      ['further', 'first'],
    ] as const) {
      await using threads = await Threads.open({ before: (writer) => writePods(writer, 10) });
      const writer = new Writer(threads.model, 'widgets');
      await writer.put('ns/before');
      for (const thread of order) {
        await threads[thread].cache.addResource(podsResource('widgets'), threads[thread].signal);
        await writer.put(`ns/after-${thread}`);
      }
      await writer.put('ns/before', { padding: 'changed' });
      await threads.synced();
      const [mine, others] = [threads.further.resource('widgets'), threads.first.resource('widgets')];
      assert.deepEqual(await contents(mine), await contents(others));
      assert.equal(mine.count(), 3);
      const changed = mine.get('ns/before');
      assert.ok(changed && isShared(changed));
    }
  });

  it('a resource that both threads have replaced is read from the new definition', async () => {
    const old = { ...podsResource('widgets'), form: 'old' };
    await using threads = await Threads.open({ first: { resources: [old] }, further: { resources: [old] } });
    const writer = new Writer(threads.model, 'widgets');
    await writer.put('ns/one');
    await threads.synced();
    const replaced: CachedResource = { ...podsResource('widgets'), form: 'new' };
    for (const { cache, signal } of [threads.first, threads.further]) {
      cache.removeResource('widgets');
      await cache.addResource(replaced, signal);
    }
    await writer.put('ns/two');
    await threads.synced();
    assert.deepEqual(
      await contents(threads.further.resource('widgets')),
      await contents(threads.first.resource('widgets')),
    );
    assert.equal(threads.further.resource('widgets').count(), 2);
  });

  it('a thread reads a resource from the store that the first one reads by another definition', async () => {
    const forms = ['old', 'new'].map((form) => ({ resources: [{ ...podsResource('widgets'), form }] }));
    await using threads = await Threads.open({
      first: forms[0] ?? {},
      further: forms[1] ?? {},
      before: async () => undefined,
    });
    assert.equal(threads.further.store.calls.scan, 1);
    assert.ok(threads.further.cache.isReady());
  });

  it('a thread reads an object itself that the first one cannot read', async () => {
    const refusing: CachedResource = {
      ...podsResource('pods'),
      ingest(value, rev, key) {
        if (value.includes('"secret"')) throw new Error('no key');
        return podsResource('pods').ingest(value, rev, key);
      },
    };
    await using threads = await Threads.open({
      first: { resources: [refusing] },
      further: { resources: [podsResource('pods')] },
      before: (writer) => writer.put('ns/old', { padding: 'secret' }),
    });
    const [unreadable] = threads.further.pods.unreadable({ prefix: '' });
    assert.equal(unreadable?.reason, 'no key');
    await threads.writer.put('ns/new', { padding: 'secret' });
    await threads.synced();
    assert.equal(threads.first.pods.get('ns/new')?.corrupt, true);
    assert.equal(threads.further.pods.get('ns/new')?.corrupt, false);
    assert.equal(await threads.further.cache.readCorruptAgain(threads.further.signal), 1);
    assert.equal(threads.further.pods.get('ns/old')?.corrupt, false);
  });

  it('a thread that starts while events arrive has all of them', async () => {
    await using threads = await Threads.open({ before: (writer) => writePods(writer, 2500) });
    const writer = new Writer(threads.model, 'leases');
    await using late = await Fixture.open({ model: threads.model, follows: threads.first, wait: false });
    for (let i = 0; i < 200; i++) {
      await writer.put(`ns/lease-${i % 20}`, { padding: `${i}` });
      if (i % 10 === 0) await settle();
    }
    await late.cache.ready(late.signal);
    await threads.synced();
    await late.synced();
    assert.deepEqual(
      await contents(late.resource('leases')),
      await contents(threads.first.resource('leases')),
    );
    assert.equal(late.pods.count(), 2500);
  });

  it('keys outside of cached resources cost a thread nothing but their revision', async () => {
    await using threads = await Threads.open();
    const { model, first } = threads;
    await model.commit({ op: 'create', key: `${PREFIX}internal/x`, value: Buffer.from('x') }, first.signal);
    await threads.synced();
    assert.equal(threads.further.cache.revision(), first.cache.revision());
  });
});
