import assert from 'node:assert/strict';
import { keyAfter, prefixRange } from '../keys.ts';
import type { KeyValue, Page } from '../store.ts';
import { type Case, type Fixture, failsWith } from './fixture.ts';

export const listCases: readonly Case[] = [
  [
    'list of an empty range is empty at the current revision',
    async (f) => {
      const page = await f.store.list(f.all, {}, f.signal);
      assert.deepEqual({ ...page, rev: 0 }, { rev: 0, items: [], more: false, count: 0 });
      assert.ok(page.rev >= 1);
    },
  ],
  [
    'list returns the keys of the range in bytewise order, start included, end excluded',
    async (f) => {
      for (const name of ['c', 'a/b', 'b', 'a', 'a-b', 'B', 'd']) await f.create(name);
      assert.deepEqual(await f.names(), ['B', 'a', 'a-b', 'a/b', 'b', 'c', 'd']);
      assert.deepEqual(await f.names(f.range('a', 'c')), ['a', 'a-b', 'a/b', 'b']);
      assert.deepEqual(await f.names(prefixRange(f.key('a/'))), ['a/b']);
      assert.deepEqual(await f.names({ start: f.key('c'), end: keyAfter(f.key('c')) }), ['c']);
      assert.deepEqual(await f.names({ start: keyAfter(f.key('a')), end: f.key('b') }), ['a-b', 'a/b']);
    },
  ],
  [
    'an empty or inverted range lists nothing',
    async (f) => {
      await f.create('a');
      assert.deepEqual(await f.names(f.range('a', 'a')), []);
      assert.deepEqual(await f.names(f.range('b', 'a')), []);
    },
  ],
  [
    'list reports values and revisions of every key',
    async (f) => {
      const a = await f.create('a', 'one');
      const b = await f.create('b', 'one');
      const b2 = await f.update('b', b, 'two');
      const page = await f.store.list(f.all, {}, f.signal);
      assert.deepEqual(page.items, [
        { key: f.key('a'), value: Buffer.from('one'), createRevision: a, modRevision: a },
        { key: f.key('b'), value: Buffer.from('two'), createRevision: b, modRevision: b2 },
      ]);
      assert.equal(page.count, 2);
      assert.ok(page.rev >= b2);
    },
  ],
  [
    'a limited list reports that more keys exist, and their number',
    async (f) => {
      for (let i = 0; i < 7; i++) await f.create(`k${i}`);
      for (const [limit, items, more] of [
        [1, 1, true],
        [6, 6, true],
        [7, 7, false],
        [100, 7, false],
      ] as const) {
        const page = await f.store.list(f.all, { limit }, f.signal);
        assert.deepEqual([page.items.length, page.more, page.count], [items, more, 7]);
      }
    },
  ],
  [
    'a byte budget ends a page early but never before its first item',
    async (f) => {
      for (let i = 0; i < 10; i++) await f.create(`k${i}`, Buffer.alloc(1000, i));
      const some = await f.store.list(f.all, { byteBudget: 5000 }, f.signal);
      assert.ok(some.items.length >= 1 && some.items.length <= 5, `${some.items.length} items in 5000 bytes`);
      assert.deepEqual([some.more, some.count], [true, 10]);
      const one = await f.store.list(f.all, { byteBudget: 1 }, f.signal);
      assert.deepEqual([one.items.length, one.more, one.count], [1, true, 10]);
      const both = await f.store.list(f.all, { byteBudget: 5000, limit: 2 }, f.signal);
      assert.equal(both.items.length, 2);
      const enough = await f.store.list(f.all, { byteBudget: 1_000_000 }, f.signal);
      assert.deepEqual([enough.items.length, enough.more], [10, false]);
    },
  ],
  [
    'pages at one revision form the state of that revision during writes',
    async (f) => {
      const revisions = new Map<string, number>();
      for (let i = 10; i < 40; i++) revisions.set(`k${i}`, await f.create(`k${i}`));
      const expected = [...revisions.keys()];
      let change = 10;
      const items = await pagesOf(f, { limit: 7 }, async () => {
        await f.delete(`k${change}`, revisions.get(`k${change}`) ?? 0);
        await f.create(`new${change}`);
        const last = `k${49 - change}`;
        await f.update(last, revisions.get(last) ?? 0, 'changed');
        change++;
      });
      assert.deepEqual(
        items.map((kv) => kv.key.slice(f.prefix.length)),
        expected,
      );
      for (const kv of items) assert.equal(kv.modRevision, revisions.get(kv.key.slice(f.prefix.length)));
    },
  ],
  [
    'a list at a past revision returns the state of that revision',
    async (f) => {
      const a1 = await f.create('a', 'a1');
      const b1 = await f.create('b', 'b1');
      const a2 = await f.update('a', a1, 'a2');
      const gone = await f.delete('b', b1);
      const b2 = await f.create('b', 'b2');
      const c1 = await f.create('c', 'c1');
      for (const [at, values] of [
        [a1, ['a1']],
        [b1, ['a1', 'b1']],
        [a2, ['a2', 'b1']],
        [gone, ['a2']],
        [b2, ['a2', 'b2']],
        [c1, ['a2', 'b2', 'c1']],
      ] as const) {
        const page = await f.store.list(f.all, { at }, f.signal);
        assert.deepEqual(
          page.items.map((kv) => kv.value?.toString()),
          values,
          `at ${at}`,
        );
        assert.equal(page.rev, at);
        assert.equal(page.count, values.length);
        assert.equal(page.more, false);
      }
      const [then] = (await f.store.list(f.all, { at: b2, limit: 5 }, f.signal)).items.slice(1);
      assert.deepEqual([then?.createRevision, then?.modRevision], [b2, b2]);
    },
  ],
  [
    'a list at a revision not reached yet fails with futureRevision',
    async (f) => {
      const rev = await f.create('a');
      await assert.rejects(f.store.list(f.all, { at: rev + 1000 }, f.signal), failsWith('futureRevision'));
    },
  ],
];

/** Reads the whole prefix page by page at the first page's revision; `between` runs after every page. */
async function pagesOf(
  f: Fixture,
  options: { limit: number },
  between: () => Promise<void>,
): Promise<readonly KeyValue[]> {
  const items: KeyValue[] = [];
  let page: Page = await f.store.list(f.all, options, f.signal);
  const { rev, count } = page;
  for (;;) {
    assert.equal(page.rev, rev);
    assert.equal(page.count, count - items.length, 'the count covers the rest of the range');
    items.push(...page.items);
    await between();
    const last = items.at(-1);
    if (!page.more || last === undefined) return items;
    const range = { start: keyAfter(last.key), end: f.all.end };
    page = await f.store.list(range, { ...options, at: rev }, f.signal);
  }
}
