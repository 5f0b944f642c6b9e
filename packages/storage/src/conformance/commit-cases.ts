import assert from 'node:assert/strict';
import { type Case, lost } from './fixture.ts';

export const commitCases: readonly Case[] = [
  [
    'create on an absent key succeeds and sets both revisions',
    async (f) => {
      const rev = await f.create('a', 'one');
      assert.deepEqual(await f.get('a'), {
        key: f.key('a'),
        value: Buffer.from('one'),
        createRevision: rev,
        modRevision: rev,
      });
    },
  ],
  [
    'create on a present key conflicts and reports the current value',
    async (f) => {
      const rev = await f.create('a', 'one');
      const result = await f.store.commit(
        { op: 'create', key: f.key('a'), value: Buffer.from('two') },
        f.signal,
      );
      assert.deepEqual(lost(result), {
        key: f.key('a'),
        value: Buffer.from('one'),
        createRevision: rev,
        modRevision: rev,
      });
      assert.ok(result.rev >= rev);
      assert.equal((await f.get('a'))?.value.toString(), 'one');
    },
  ],
  [
    'update with the current revision succeeds and keeps the create revision',
    async (f) => {
      const created = await f.create('a', 'one');
      const updated = await f.update('a', created, 'two');
      assert.ok(updated > created);
      assert.deepEqual(await f.get('a'), {
        key: f.key('a'),
        value: Buffer.from('two'),
        createRevision: created,
        modRevision: updated,
      });
    },
  ],
  [
    'update with an older revision conflicts and reports the current value',
    async (f) => {
      const created = await f.create('a', 'one');
      const updated = await f.update('a', created, 'two');
      const stale = {
        op: 'update',
        key: f.key('a'),
        value: Buffer.from('three'),
        expected: created,
      } as const;
      const current = lost(await f.store.commit(stale, f.signal));
      assert.equal(current?.modRevision, updated);
      assert.equal(current?.value.toString(), 'two');
    },
  ],
  [
    'update of an absent key conflicts without a current value',
    async (f) => {
      const expected = await f.revision();
      const write = { op: 'update', key: f.key('a'), value: Buffer.from('x'), expected } as const;
      assert.equal(lost(await f.store.commit(write, f.signal)), undefined);
      assert.equal(await f.get('a'), undefined);
    },
  ],
  [
    'delete with the current revision removes the key',
    async (f) => {
      const created = await f.create('a');
      const deleted = await f.delete('a', created);
      assert.ok(deleted > created);
      assert.equal(await f.get('a'), undefined);
    },
  ],
  [
    'delete with an older revision conflicts and reports the current value',
    async (f) => {
      const created = await f.create('a', 'one');
      const updated = await f.update('a', created, 'two');
      const current = lost(
        await f.store.commit({ op: 'delete', key: f.key('a'), expected: created }, f.signal),
      );
      assert.equal(current?.modRevision, updated);
      assert.equal((await f.get('a'))?.modRevision, updated);
    },
  ],
  [
    'delete of an absent key conflicts without a current value',
    async (f) => {
      const created = await f.create('a');
      await f.delete('a', created);
      assert.equal(
        lost(await f.store.commit({ op: 'delete', key: f.key('a'), expected: created }, f.signal)),
        undefined,
      );
    },
  ],
  [
    'a deleted key can be created again with a new create revision',
    async (f) => {
      const first = await f.create('a');
      const deleted = await f.delete('a', first);
      const second = await f.create('a');
      assert.ok(second > deleted);
      assert.equal((await f.get('a'))?.createRevision, second);
    },
  ],
  [
    'the replaced version is correct when a commit reports it',
    async (f) => {
      const created = await f.create('a', 'one');
      const before = await f.get('a');
      const write = { op: 'update', key: f.key('a'), value: Buffer.from('two'), expected: created } as const;
      const result = await f.store.commit(write, f.signal);
      assert.ok(result.ok);
      if (result.prev !== undefined) assert.deepEqual(result.prev, before);
    },
  ],
  [
    'every commit that takes effect has a unique, greater revision, and a conflict has none',
    async (f) => {
      const revisions: number[] = [await f.revision()];
      let last = await f.create('a');
      revisions.push(last);
      for (let i = 0; i < 10; i++) {
        lost(await f.store.commit({ op: 'create', key: f.key('a'), value: Buffer.from('x') }, f.signal));
        last = await f.update('a', last, `${i}`);
        revisions.push(last);
      }
      assert.deepEqual(
        revisions,
        [...new Set(revisions)].sort((x, y) => x - y),
      );
      assert.ok(revisions.every((rev) => Number.isSafeInteger(rev) && rev > 0));
    },
  ],
  [
    'exactly one of many concurrent creates of a key succeeds',
    async (f) => {
      const attempts = Array.from({ length: 16 }, (_, i) =>
        f.store.commit({ op: 'create', key: f.key('a'), value: Buffer.from(`${i}`) }, f.signal),
      );
      const results = await Promise.all(attempts);
      assert.equal(results.filter((result) => result.ok).length, 1);
      const winner = results.findIndex((result) => result.ok);
      assert.equal((await f.get('a'))?.value.toString(), `${winner}`);
      for (const result of results)
        if (!result.ok) assert.equal(result.current?.value?.toString(), `${winner}`);
    },
  ],
  [
    'get and currentRevision reflect every commit acknowledged before them',
    async (f) => {
      for (let i = 0; i < 20; i++) {
        const rev = await f.create(`k${i}`);
        const [read, current] = await Promise.all([f.store.get(f.key(`k${i}`), f.signal), f.revision()]);
        assert.equal(read.kv?.modRevision, rev);
        assert.ok(read.rev >= rev);
        assert.ok(current >= rev);
      }
    },
  ],
];
