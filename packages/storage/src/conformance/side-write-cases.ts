import assert from 'node:assert/strict';
import { MAX_SIDE_WRITES, type SideWrite, type SideWrites } from '../extensions/write-extensions.ts';
import type { Committed, Revision, Write } from '../store.ts';
import { eventKey } from '../store-values.ts';
import { type Case, type Fixture, lost } from './fixture.ts';

const operations = ['create', 'update', 'delete'] as const;

/** A write of the key `a`, whose state it expects. */
async function writeOf(f: Fixture, op: Write['op']): Promise<Write> {
  const key = f.key('a');
  const value = Buffer.from('new');
  if (op === 'create') return { op, key, value };
  const expected = await f.create('a', 'old');
  return op === 'update' ? { op, key, value, expected } : { op, key, expected };
}

function withSides(f: Fixture, write: Write, also: readonly SideWrite[]): Promise<Committed> {
  const extended: Write & SideWrites = { ...write, also };
  return f.store.commit(extended, f.signal);
}

const putOf = (f: Fixture, name: string, text = name): SideWrite => ({
  key: f.key(name),
  value: Buffer.from(text),
});

function revisionOf(result: Committed): Revision {
  assert.ok(result.ok, 'the commit lost a race');
  return result.rev;
}

const takingEffect: readonly Case[] = operations.map((op) => [
  `a ${op} with further keys creates and deletes them, and their create revision is that of the commit`,
  async (f) => {
    await f.create('obsolete');
    const write = await writeOf(f, op);
    const also = [putOf(f, 'x', ''), putOf(f, 'y', '\u00e4'), { key: f.key('obsolete') }];
    const rev = revisionOf(await withSides(f, write, also));
    const { modRevision, createRevision, value } = (await f.get('y')) ?? assert.fail('y is absent');
    assert.equal(value.toString(), '\u00e4');
    assert.equal(createRevision, rev);
    assert.equal((await f.get('x'))?.createRevision, rev);
    assert.equal((await f.get('x'))?.value.length, 0);
    assert.equal(await f.get('obsolete'), undefined);
    assert.equal((await f.get('a'))?.modRevision, op === 'delete' ? undefined : rev);
    assert.ok(modRevision >= rev);
    assert.ok((await f.create('later')) > modRevision);
  },
]);

export const sideWriteCases: readonly Case[] = [
  ...takingEffect,
  [
    'a further key that exists is replaced, and keeps its create revision',
    async (f) => {
      const created = await f.create('x', 'old');
      const rev = revisionOf(await withSides(f, await writeOf(f, 'create'), [putOf(f, 'x', 'new')]));
      const { modRevision, createRevision, value } = (await f.get('x')) ?? assert.fail('x is absent');
      assert.deepEqual([value.toString(), createRevision], ['new', created]);
      assert.ok(modRevision >= rev && modRevision < (await f.create('later')));
      const { items } = await f.store.list(f.range('x', 'y'), { at: modRevision }, f.signal);
      assert.deepEqual(
        items.map((kv) => [kv.createRevision, kv.modRevision]),
        [[created, modRevision]],
      );
    },
  ],
  [
    'a commit that loses a race, or whose guard fails, writes none of its further keys',
    async (f) => {
      const rev = await f.create('a');
      await f.create('kept');
      const also = [putOf(f, 'x'), { key: f.key('kept') }];
      const taken = { op: 'create', key: f.key('a'), value: Buffer.from('x') } as const;
      const guarded = { op: 'create', key: f.key('b'), value: Buffer.from('x') } as const;
      const guards = [{ key: f.key('a'), revision: rev + 1 }] as const;
      assert.equal(lost(await withSides(f, taken, also))?.modRevision, rev);
      assert.ok(!(await withSides(f, { ...guarded, guards }, also)).ok);
      assert.deepEqual(await f.names(), ['a', 'kept']);
    },
  ],
  [
    'a key that a commit created beside another is deleted by its mod revision',
    async (f) => {
      await withSides(f, await writeOf(f, 'create'), [putOf(f, 'x'), putOf(f, 'y')]);
      for (const name of ['x', 'y']) await f.delete(name, (await f.get(name))?.modRevision ?? 0);
      assert.deepEqual(await f.names(), ['a']);
    },
  ],
  [
    'a watch from before a commit with further keys delivers each of its events once, also when it reads the log',
    async (f) => {
      const before = await f.revision();
      await using live = f.watch(before);
      await withSides(f, await writeOf(f, 'create'), [putOf(f, 'x'), putOf(f, 'y')]);
      await f.create('later');
      await using past = f.watch(before);
      for (const watch of [live, past]) {
        const keys = (await watch.received(4)).map(eventKey);
        assert.deepEqual(
          [...keys].sort(),
          ['a', 'later', 'x', 'y'].map((name) => f.key(name)),
        );
        assert.equal(keys.at(-1), f.key('later'));
      }
    },
  ],
  [
    'a watch of other keys reaches the revision of a commit with further keys without their events',
    async (f) => {
      const only = f.range('a', 'b');
      await using watch = f.watch(await f.revision(), only);
      await withSides(f, await writeOf(f, 'create'), [putOf(f, 'x'), putOf(f, 'y')]);
      await f.create('a2');
      assert.deepEqual((await watch.received(2)).map(eventKey), [f.key('a'), f.key('a2')]);
    },
  ],
  [
    'a commit deletes as many further keys as are permitted',
    async (f) => {
      const names = Array.from({ length: MAX_SIDE_WRITES }, (_, i) => `k${i}`);
      const puts = names.map((name) => putOf(f, name));
      revisionOf(await withSides(f, await writeOf(f, 'create'), puts));
      assert.equal((await f.names()).length, MAX_SIDE_WRITES + 1);
      const expected = (await f.get('a'))?.modRevision ?? 0;
      const deletes = names.map((name) => ({ key: f.key(name) }));
      revisionOf(await withSides(f, { op: 'delete', key: f.key('a'), expected }, deletes));
      assert.deepEqual(await f.names(), []);
    },
  ],
];
