import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@orch/machinery/testing';
import { appFilter, everything, Fixture, fieldFilter, fieldsOf } from '../testing/fixture.ts';
import { Writer } from '../testing/writer.ts';
import type { ListPage, ListQuery } from '../types.ts';
import { ResourceWatchCache } from './resource-watch-cache.ts';

const root = { prefix: '' };

async function filled(
  options: Parameters<typeof Fixture.open>[0] = {},
): Promise<{ f: Fixture; writer: Writer }> {
  const f = await Fixture.open(options);
  const writer = new Writer(f.model);
  for (let i = 0; i < 300; i++)
    await writer.put(`ns${i % 3}/pod-${i}`, { app: `app${i % 7}`, node: `node${i % 50}` });
  await f.synced();
  return { f, writer };
}

const brief = (page: ListPage): { key: string; rev: number }[] =>
  page.objects.map(({ key, rev }) => ({ key, rev }));

function fromMemory(f: Fixture, query: ListQuery): ListPage {
  const page = f.pods.list(query, f.signal);
  assert.ok(!(page instanceof Promise), 'served from memory');
  return page;
}

describe('ResourceWatchCache of one resource', () => {
  it('a list contains the objects that its scope and filter select, in key order, with the number that remain', async () => {
    const { f, writer } = await filled();
    await using _ = f;
    const filters = [
      everything,
      appFilter('app3'),
      fieldFilter('spec.nodeName', 'node7'),
      fieldFilter('metadata.name', 'pod-7'),
      fieldFilter('metadata.namespace', 'ns2'),
      fieldFilter('metadata.namespace', ''),
      fieldFilter('spec.nodeName', 'nowhere'),
    ];
    const scopes = [root, { prefix: 'ns1/' }, { prefix: 'ns1/', exact: 'ns1/pod-7' }, { prefix: 'none/' }];
    for (const scope of scopes) {
      for (const filter of filters) {
        const expected = writer.stateAt(1e9, scope, filter);
        assert.deepEqual(brief(fromMemory(f, { scope, filter })), expected);
        for (const limit of [1, 2, 7, 1000]) {
          const page = fromMemory(f, { scope, filter, limit });
          assert.deepEqual(brief(page), expected.slice(0, limit));
          assert.equal(page.next, expected.length > limit ? expected[limit - 1]?.key : undefined);
          const remaining =
            filter.everything && expected.length > limit ? expected.length - limit : undefined;
          assert.equal(page.remaining, remaining);
        }
      }
    }
  });

  it('the chunks of a list show the state of its first chunk, from memory, during later writes', async () => {
    const { f, writer } = await filled();
    await using _ = f;
    const rev = f.cache.revision();
    const before = { ...f.store.calls };
    const pages: { key: string; rev: number }[] = [];
    for (let page = fromMemory(f, { scope: root, filter: everything, limit: 50 }); ; ) {
      assert.equal(page.rev, rev);
      pages.push(...brief(page));
      if (page.next === undefined) break;
      for (let i = 0; i < 20; i++) await writer.put(`ns${i % 3}/pod-${pages.length + i}`, { node: 'moved' });
      await writer.delete(writer.keys[pages.length] ?? '');
      await writer.put(`ns1/new-${pages.length}`);
      await f.synced();
      page = fromMemory(f, { scope: root, filter: everything, limit: 50, at: rev, after: page.next });
    }
    assert.deepEqual(pages, writer.stateAt(rev, root, everything));
    assert.deepEqual(f.store.calls, before, 'the store received no request');
  });

  it('the chunks of a list by a label with an index show the state of its first chunk during later writes', async () => {
    const { f, writer } = await filled();
    await using _ = f;
    assert.ok(f.pods instanceof ResourceWatchCache);
    const { indexes } = f.pods.state;
    for (let list = 0; list < 3; list += 1) fromMemory(f, { scope: root, filter: appFilter('none') });
    while (!indexes.complete.labels.has('app')) await settle();
    const filter = appFilter('app3');
    for (const scope of [root, { prefix: 'ns1/' }]) {
      const rev = f.cache.revision();
      const pages: { key: string; rev: number }[] = [];
      for (let page = fromMemory(f, { scope, filter, limit: 5 }); ; ) {
        pages.push(...brief(page));
        if (page.next === undefined) break;
        await writer.put(`ns1/new-${pages.length}`, { app: 'app3' });
        await writer.put(page.next, { app: 'moved' });
        await f.synced();
        page = fromMemory(f, { scope, filter, limit: 5, at: rev, after: page.next });
      }
      assert.deepEqual(pages, writer.stateAt(rev, scope, filter));
      assert.deepEqual(brief(fromMemory(f, { scope, filter })), writer.stateAt(1e9, scope, filter));
    }
  });

  it('a list at an exact revision is served from the event history, then from the store, and fails when it was compacted', async () => {
    const { f, writer } = await filled({ cache: { historyBytes: 30_000, maxUndo: 30 } });
    await using _ = f;
    const last = f.cache.revision();
    for (const at of [last, last - 1, last - 20, last - 25, last - 200, 10, 2]) {
      for (const query of [{ limit: 7 }, {}]) {
        const page = await f.pods.list(
          { scope: { prefix: 'ns1/' }, filter: everything, at, ...query },
          f.signal,
        );
        assert.equal(page.rev, at);
        const expected = writer.stateAt(at, { prefix: 'ns1/' }, everything);
        assert.deepEqual(brief(page), expected.slice(0, query.limit ?? 1000));
        assert.equal(page.next, expected.length > (query.limit ?? 1000) ? expected[6]?.key : undefined);
        assert.equal(page.remaining, page.next === undefined ? undefined : expected.length - 7);
      }
    }
    assert.ok(f.store.calls.list > 1);
    await f.model.compact(last - 100, f.signal);
    const old = f.pods.list({ scope: root, filter: everything, at: 9 }, f.signal);
    await assert.rejects(Promise.resolve(old), { code: 'compacted' });
    const labelled = { scope: root, filter: appFilter('app3'), at: last - 100, limit: 5 };
    const page = await f.pods.list(labelled, f.signal);
    const expected = writer.stateAt(last - 100, root, labelled.filter);
    assert.deepEqual(brief(page), expected.slice(0, 5));
    assert.deepEqual(
      brief(await f.pods.list({ ...labelled, after: page.next ?? '' }, f.signal)),
      expected.slice(5, 10),
    );
  });

  it('a list at a future revision waits until the cache has reached it', async () => {
    const { f, writer } = await filled();
    await using _ = f;
    const at = f.cache.revision() + 1;
    const page = f.pods.list({ scope: root, filter: everything, at }, f.signal);
    await writer.put('ns1/next');
    await writer.put('ns1/after-next');
    assert.deepEqual(brief(await page), writer.stateAt(at, root, everything));
    const never = f.pods.list({ scope: root, filter: everything, at: at + 1000 }, f.signal);
    const refused = assert.rejects(Promise.resolve(never), { code: 'futureRevision' });
    await f.pass(4000);
    await refused;
  });

  it('snapshots are dropped when they are too old, too many, or keep too many bytes alive', async () => {
    const { f, writer } = await filled({
      cache: { maxSnapshots: 3, snapshotBytes: 5000, historyBytes: 100_000 },
    });
    await using _ = f;
    const kept = (): number => Number(/kind="snapshots"\} (\d+)/.exec(f.env.metrics.text())?.[1]);
    for (let i = 0; i < 10; i++) {
      fromMemory(f, { scope: root, filter: everything, limit: 10 });
      await writer.put(`ns1/pod-${i}`, { padding: 'x'.repeat(300) });
      await f.synced();
    }
    assert.ok(kept() > 0);
    for (let i = 0; i < 100; i++) await writer.put(`ns1/pod-${i % 10}`, { padding: 'x'.repeat(300) });
    await f.synced();
    assert.ok(kept() > 5000);
    await f.pass(2000);
    assert.equal(kept(), 0);
    fromMemory(f, { scope: root, filter: everything, limit: 10 });
    await writer.put('ns1/pod-1', { padding: 'y' });
    await f.synced();
    assert.ok(kept() > 0);
    await f.pass(301_000);
    assert.equal(kept(), 0);
    await settle();
  });

  it('get returns the object with a key', async () => {
    const { f } = await filled();
    await using _ = f;
    const object = f.pods.get('ns1/pod-7');
    assert.equal(object?.key, 'ns1/pod-7');
    assert.deepEqual(object && fieldsOf(f.pods, object), ['pod-7', 'ns1', 'node7']);
    assert.deepEqual({ ...object?.labels.labels }, { app: 'app0' });
    assert.equal(object?.json().length, object?.size);
    assert.equal(f.pods.get('ns1/nothing'), undefined);
    assert.equal(f.pods.count(), 300);
  });
});
