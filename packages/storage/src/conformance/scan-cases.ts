import assert from 'node:assert/strict';
import type { KeyRange } from '../keys.ts';
import type { KeyValue, Revision, ScanOptions } from '../store.ts';
import { type Case, type Fixture, failsWith } from './fixture.ts';

export const scanCases: readonly Case[] = [
  [
    'scan of an empty range yields one part without items, at the current revision',
    async (f) => {
      const rev = await f.create('a');
      for (const range of [f.range('b', 'c'), f.range('a', 'a'), f.range('b', 'a')]) {
        const { revisions, items, parts } = await scanned(f, {}, range);
        assert.deepEqual([items, parts], [[], 1]);
        assert.ok((revisions[0] ?? 0) >= rev);
      }
    },
  ],
  [
    'scan yields every key of the range once and in order, with value and revisions',
    async (f) => {
      const a = await f.create('a', 'one');
      const b = await f.create('b', 'one');
      const b2 = await f.update('b', b, 'two');
      for (const name of ['c/x', 'a/b', 'a-b', 'B']) await f.create(name);
      const { items } = await scanned(f, {});
      assert.deepEqual(namesOf(f, items), ['B', 'a', 'a-b', 'a/b', 'b', 'c/x']);
      assert.deepEqual(items[1], {
        key: f.key('a'),
        value: Buffer.from('one'),
        createRevision: a,
        modRevision: a,
      });
      assert.deepEqual([items[4]?.value?.toString(), items[4]?.modRevision], ['two', b2]);
      assert.deepEqual(namesOf(f, (await scanned(f, {}, f.range('a', 'b'))).items), ['a', 'a-b', 'a/b']);
    },
  ],
  [
    'scan in small parts returns the state of one revision during writes',
    async (f) => {
      const revisions = new Map<string, Revision>();
      for (let i = 10; i < 40; i++) revisions.set(`k${i}`, await f.create(`k${i}`, Buffer.alloc(1000)));
      let change = 10;
      const { items, revisions: seen } = await scanned(f, { byteBudget: 3000 }, f.all, async () => {
        if (change === 25) return;
        await f.delete(`k${change}`, revisions.get(`k${change}`) ?? 0);
        await f.create(`new${change}`);
        const last = `k${49 - change}`;
        await f.update(last, revisions.get(last) ?? 0, 'changed');
        change++;
      });
      assert.deepEqual(namesOf(f, items), [...revisions.keys()]);
      for (const kv of items) assert.equal(kv.modRevision, revisions.get(kv.key.slice(f.prefix.length)));
      assert.equal(new Set(seen).size, 1);
    },
  ],
  [
    'scan at a past revision returns the state of that revision',
    async (f) => {
      const a1 = await f.create('a', 'a1');
      const b1 = await f.create('b', 'b1');
      await f.update('a', a1, 'a2');
      await f.delete('b', b1);
      const { items, revisions } = await scanned(f, { at: b1 });
      assert.deepEqual(
        items.map((kv) => kv.value?.toString()),
        ['a1', 'b1'],
      );
      assert.deepEqual(revisions, [b1]);
    },
  ],
  [
    'scan of keys only returns every key and its revision',
    async (f) => {
      const a = await f.create('a', 'one');
      const b = await f.create('b', 'one');
      const { items } = await scanned(f, { keysOnly: true });
      assert.deepEqual(
        items.map((kv) => [kv.key, kv.modRevision]),
        [
          [f.key('a'), a],
          [f.key('b'), b],
        ],
      );
    },
  ],
  [
    'scan with ttls reports the seconds of expiring keys only, also of keys that change during the scan',
    async (f) => {
      const first = await f.create('a', Buffer.alloc(3000), 1000);
      await f.create('b', Buffer.alloc(3000));
      const expiring = await f.create('c', Buffer.alloc(3000), 2000);
      const madePermanent = await f.update('a', first, Buffer.alloc(3000));
      await f.create('d', Buffer.alloc(3000), 3000);
      let isChanged = false;
      const { items, ttls: found } = await scanned(f, { byteBudget: 100, withTtl: true }, f.all, async () => {
        if (isChanged) return;
        isChanged = true;
        await f.update('a', madePermanent, 'x', 5000);
        await f.update('c', expiring, 'x');
      });
      const ttls = items.map(({ key }) => found.get(key) ?? 0);
      assert.deepEqual(namesOf(f, items), ['a', 'b', 'c', 'd']);
      assert.deepEqual([ttls[0], ttls[1]], [0, 0]);
      for (const [i, expected] of [
        [2, 2000],
        [3, 3000],
      ] as const) {
        const ttl = ttls[i] ?? 0;
        // The clock may run during the case, and stores may share leases of similar keys.
        assert.ok(ttl > expected - 60 && ttl <= expected * 1.1, `${ttl} instead of ${expected}`);
        assert.ok(Number.isInteger(ttl));
      }
      assert.equal((await scanned(f, {})).ttls.size, 0);
    },
  ],
  [
    'scan at a revision not reached yet fails with futureRevision, at a compacted one with compacted',
    async (f) => {
      const a = await f.create('a');
      const later = await f.update('a', a, 'again');
      await assert.rejects(scanned(f, { at: later + 1000 }), failsWith('futureRevision'));
      await f.store.compact(later, f.signal);
      await assert.rejects(scanned(f, { at: a }), failsWith('compacted'));
      assert.equal((await scanned(f, { at: later })).items.length, 1);
    },
  ],
  [
    'scan rejects with the reason when the signal aborts, and its consumer may leave at any time',
    async (f) => {
      for (let i = 0; i < 10; i++) await f.create(`k${i}`, Buffer.alloc(1000));
      const abort = new AbortController();
      const reason = new Error('enough');
      await assert.rejects(async () => {
        for await (const _ of f.store.scan(f.all, { byteBudget: 1 }, abort.signal)) abort.abort(reason);
        // The range may have been returned in one part.
        throw reason;
      }, reason);
      for await (const part of f.store.scan(f.all, { byteBudget: 1 }, f.signal)) {
        assert.ok(part.items.length > 0);
        break;
      }
      await assert.rejects(async () => {
        for await (const _ of f.store.scan(f.all, {}, abort.signal)) assert.fail('a part of an aborted scan');
      }, reason);
    },
  ],
];

interface Scanned {
  readonly items: readonly KeyValue[];
  /** Remaining seconds of the keys of all parts that expire. */
  readonly ttls: ReadonlyMap<string, number>;
  /** That of each part. */
  readonly revisions: readonly Revision[];
  readonly parts: number;
}

/** Reads a whole scan; `between` runs after every part. */
async function scanned(
  f: Fixture,
  options: ScanOptions,
  range: KeyRange = f.all,
  between?: () => Promise<void>,
): Promise<Scanned> {
  const items: KeyValue[] = [];
  const ttls = new Map<string, number>();
  const revisions: Revision[] = [];
  for await (const part of f.store.scan(range, options, f.signal)) {
    items.push(...part.items);
    for (const { key } of part.items) {
      const seconds = part.ttls?.get(key);
      if (seconds !== undefined) ttls.set(key, seconds);
    }
    revisions.push(part.rev);
    await between?.();
  }
  return { items, ttls, revisions, parts: revisions.length };
}

const namesOf = (f: Fixture, items: readonly KeyValue[]): readonly string[] =>
  items.map((kv) => kv.key.slice(f.prefix.length));
