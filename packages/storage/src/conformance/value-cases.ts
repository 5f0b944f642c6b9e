import assert from 'node:assert/strict';
import { keyAfter, prefixRange } from '../keys.ts';
import { type Case, type Fixture, failsWith } from './fixture.ts';

const MEBIBYTE = 1024 * 1024;
const MANY_KEYS = 3000;
const WRITERS = 32;

/** Runs `task(0) … task(count - 1)`, `WRITERS` at a time. */
async function inParallel(count: number, task: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: WRITERS }, worker));
}

function patterned(length: number, seed: number): Buffer {
  const value = Buffer.allocUnsafe(length);
  for (let i = 0; i < length; i++) value[i] = (i * 31 + (i >> 8) + seed) & 0xff;
  return value;
}

async function checkRoundTrip(f: Fixture, name: string, value: Buffer): Promise<void> {
  await using watch = f.watch(await f.revision());
  await f.create(name, value);
  const [event] = await watch.received(1);
  const [item] = (await f.store.list(prefixRange(f.key(name)), {}, f.signal)).items;
  const got = await f.get(name);
  for (const kv of [got, item, event?.type === 'put' ? event.kv : undefined]) {
    assert.ok(
      kv !== undefined && Buffer.isBuffer(kv.value) && kv.value?.equals(value),
      `${name} was changed`,
    );
    assert.equal(kv.key, f.key(name));
  }
}

export const valueCases: readonly Case[] = [
  [
    'every byte value and an empty value are stored unchanged',
    async (f) => {
      await checkRoundTrip(f, 'bytes', Buffer.from(Array.from({ length: 256 }, (_, i) => i)));
      await checkRoundTrip(f, 'invalid-utf8', Buffer.from([0xff, 0xfe, 0x00, 0xc0, 0x80, 0xed, 0xa0, 0x80]));
      await checkRoundTrip(f, 'empty', Buffer.alloc(0));
    },
  ],
  [
    'values of a mebibyte are returned unchanged, one and several in a list',
    async (f) => {
      await checkRoundTrip(f, 'big', patterned(MEBIBYTE, 1));
      for (let i = 0; i < 5; i++) await f.create(`more${i}`, patterned(MEBIBYTE, i));
      const page = await f.store.list(prefixRange(f.key('more')), {}, f.signal);
      assert.deepEqual(
        page.items.map((kv, i) => kv.value?.equals(patterned(MEBIBYTE, i))),
        [true, true, true, true, true],
      );
      const budgeted = await f.store.list(f.all, { byteBudget: 2.5 * MEBIBYTE }, f.signal);
      assert.equal(budgeted.items.length, 2);
    },
  ],
  [
    'a value beyond the limit is refused with tooLarge and changes nothing',
    async (f) => {
      await assert.rejects(f.create('huge', Buffer.alloc(32 * MEBIBYTE)), failsWith('tooLarge'));
      assert.equal(await f.get('huge'), undefined);
      await f.create('huge', 'small');
    },
  ],
  [
    'keys of any Unicode text are stored unchanged and ordered by their bytes',
    async (f) => {
      const names = ['a', 'é', 'ß/x', '漢字', '\ue000', '\uffee', '😀', '😀😀', '\u{10fffe}', 'z'];
      for (const name of names) await checkRoundTrip(f, name, Buffer.from(name));
      const byBytes = [...names].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
      assert.deepEqual(await f.names(), byBytes);
      assert.deepEqual(await f.names(prefixRange(f.key('😀'))), ['😀', '😀😀']);
      assert.deepEqual(await f.names(f.range('\uffee', '😀')), ['\uffee']);
    },
  ],
  [
    'thousands of keys are returned by one list and by pages',
    async (f) => {
      const name = (i: number) => `n${String(i).padStart(5, '0')}`;
      await inParallel(MANY_KEYS, (i) => f.create(name((i * 7919) % MANY_KEYS)));
      const whole = await f.store.list(f.all, {}, f.signal);
      assert.deepEqual([whole.items.length, whole.count, whole.more], [MANY_KEYS, MANY_KEYS, false]);
      assert.ok(whole.items.every((kv, i) => kv.key === f.key(name(i)) && kv.value?.toString() === name(i)));
      let start = f.all.start;
      for (let left = MANY_KEYS; left > 0; ) {
        const options = { at: whole.rev, limit: 900 };
        const page = await f.store.list({ start, end: f.all.end }, options, f.signal);
        assert.equal(page.count, left);
        left -= page.items.length;
        assert.equal(page.more, left > 0);
        start = keyAfter(page.items.at(-1)?.key ?? '');
      }
    },
  ],
];
