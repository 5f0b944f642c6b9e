import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deferred } from '@orch/machinery/concurrency';
import { seededRandom, settle } from '@orch/machinery/testing';
import { StoreError } from '@orch/storage';
import { everything, Fixture } from '../testing/fixture.ts';
import { Writer } from '../testing/writer.ts';

const mostRecent = { kind: 'mostRecent' } as const;

/** Reports whether the promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  await settle();
  await settle();
  return settled;
}

describe('consistent reads', () => {
  it('a consistent read sees every acknowledged write, even when the watch of the store is late', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const random = seededRandom(7);
    for (let i = 0; i < 60; i++) {
      if (random.int(3) === 0) f.store.hold();
      const rev = await writer.put(`ns1/pod-${i % 5}`, { node: `n${i}` });
      const read = f.pods.waitFresh(mostRecent, f.signal).then(() => f.pods.get(`ns1/pod-${i % 5}`));
      if (random.int(2) === 0) await settle();
      f.store.release();
      assert.equal((await read)?.rev, rev);
    }
  });

  it('consistent reads wait exactly while the cache is behind the store', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    f.store.hold();
    await writer.put('ns1/a');
    const read = f.pods.waitFresh(mostRecent, f.signal);
    assert.equal(await isSettled(read), false);
    assert.equal(f.pods.get('ns1/a'), undefined);
    f.store.release();
    await read;
    assert.ok(f.pods.get('ns1/a') !== undefined);
    assert.equal(f.pods.isFresh(mostRecent), false);
    assert.equal(f.pods.isFresh({ kind: 'any' }), true);
  });

  it('concurrent consistent reads share one read of the store that starts after them', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const barrier = deferred();
    f.store.revisionGate = barrier.promise;
    const first = Array.from({ length: 50 }, () => f.pods.waitFresh(mostRecent, f.signal));
    await settle();
    assert.equal(f.store.calls.currentRevision, 1);
    // Written and requested while the first read is in progress.
    f.store.hold();
    const rev = await writer.put('ns1/a');
    const late = Array.from({ length: 50 }, (_, i) =>
      i % 2 === 0 ? f.resource('leases').waitFresh(mostRecent, f.signal) : f.pods.whenMostRecent(),
    );
    await settle();
    assert.equal(f.store.calls.currentRevision, 1, 'the next read starts when this one has returned');
    barrier.resolve();
    f.store.revisionGate = undefined;
    await Promise.all(first);
    assert.ok(f.cache.revision() < rev);
    assert.equal(await isSettled(Promise.all(late)), false);
    assert.equal(f.store.calls.currentRevision, 2);
    f.store.release();
    await Promise.all(late);
    assert.ok(f.cache.revision() >= rev);
  });

  it('consistent reads of clients that were just answered join the next read of the store', async () => {
    await using f = await Fixture.open();
    const barrier = deferred();
    f.store.revisionGate = barrier.promise;
    const answered = f.pods.waitFresh(mostRecent, f.signal);
    await settle();
    const waiting = f.pods.waitFresh(mostRecent, f.signal);
    barrier.resolve();
    f.store.revisionGate = undefined;
    await answered;
    // Simulates a client over the network: its next request arrives in the next tick.
    await new Promise((resolve) => setImmediate(resolve));
    const again = f.pods.waitFresh(mostRecent, f.signal);
    await Promise.all([waiting, again]);
    assert.equal(f.store.calls.currentRevision, 2);
  });

  it('consistent reads fail as unavailable when the store does, and other reads are still served', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    await writer.put('ns1/a');
    await f.synced();
    f.store.down = true;
    await assert.rejects(f.pods.waitFresh(mostRecent, f.signal), { code: 'unavailable' });
    await f.pods.waitFresh({ kind: 'any' }, f.signal);
    assert.ok(f.pods.get('ns1/a') !== undefined);
    f.store.down = false;
    await f.pods.waitFresh(mostRecent, f.signal);
  });

  it('a consistent read fails when the cache does not reach the revision in time', async () => {
    await using f = await Fixture.open({ cache: { consistentWaitMs: 4000 } });
    f.store.hold();
    await new Writer(f.model).put('ns1/a');
    const read = assert.rejects(f.pods.waitFresh(mostRecent, f.signal), { code: 'unavailable' });
    await f.pass(5000);
    await read;
  });

  it('consistent reads are served when the latest revision was written outside of the prefix, with and without progress batches', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    f.model.skipRevisions(5);
    await f.pods.waitFresh(mostRecent, f.signal);
    await writer.put('ns1/a');
    f.store.silent = true;
    await writer.put('ns1/b');
    await f.synced();
    const rev = f.model.skipRevisions(5);
    const read = f.pods.waitFresh(mostRecent, f.signal);
    assert.equal(await isSettled(read), false);
    await f.pass(1000);
    await read;
    assert.ok(
      f.cache.revision() < rev,
      'nothing proves that the cache is complete up to there, only that it is equal',
    );
  });

  it('a consistent read is not served from a cache that lacks an event', async () => {
    await using f = await Fixture.open({ cache: { consistentWaitMs: 5000 } });
    f.store.hold();
    await new Writer(f.model).put('ns1/a');
    const read = assert.rejects(f.pods.waitFresh(mostRecent, f.signal), { code: 'unavailable' });
    await f.pass(6000);
    await read;
  });
});

describe('reads not older than a revision', () => {
  it('a read not older than a revision waits for it, and fails as futureRevision after the limit', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const rev = await writer.put('ns1/a');
    const soon = { kind: 'notOlderThan', rev: rev + 1 } as const;
    assert.equal(f.pods.isFresh(soon), false);
    const read = f.pods.waitFresh(soon, f.signal);
    await f.pass(1000);
    await writer.put('ns1/b');
    await read;
    assert.equal(f.pods.isFresh(soon), true);
    const never = { kind: 'notOlderThan', rev: rev + 1000 } as const;
    const refused = assert.rejects(f.pods.waitFresh(never, f.signal), { code: 'futureRevision' });
    await f.pass(4000);
    await refused;
  });

  it('a waiting read rejects when its signal aborts', async () => {
    await using f = await Fixture.open();
    const request = new AbortController();
    const read = f.pods.waitFresh({ kind: 'notOlderThan', rev: 1000 }, request.signal);
    const refused = assert.rejects(read, /the client went away/);
    request.abort(new Error('the client went away'));
    await refused;
  });

  it('every read waits until the initial list is loaded', async () => {
    await using f = await Fixture.open({ wait: false });
    assert.equal(f.pods.isFresh({ kind: 'any' }), false);
    assert.equal(f.cache.revision(), 0);
    await f.pods.waitFresh({ kind: 'any' }, f.signal);
    assert.ok(f.cache.isReady());
    const page = await f.pods.list({ scope: { prefix: '' }, filter: everything }, f.signal);
    assert.ok(page.rev >= 1);
    await assert.rejects(
      f.pods.waitFresh({ kind: 'any' }, AbortSignal.abort(new StoreError('closed', 'gone'))),
      {
        code: 'closed',
      },
    );
  });

  it('a wait for the most recent state ends when its signal aborts, whatever the store does', async () => {
    await using f = await Fixture.open();
    const gate = deferred<void>();
    f.store.revisionGate = gate.promise;
    const gone = new AbortController();
    const waiting = f.pods.waitFresh(mostRecent, gone.signal);
    await settle();
    gone.abort(new Error('the client is gone'));
    await assert.rejects(waiting, /the client is gone/);
    gate.resolve();
  });
});
