import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { encodeItems, itemsLength } from '../objects/encode-items.ts';
import { appFilter, everything, Fixture } from '../testing/fixture.ts';
import { Recorder } from '../testing/recorder.ts';
import { Writer } from '../testing/writer.ts';
import type { ListPage, ObjectEncoder } from '../types.ts';

const PODS = 40;
const SIZE = 60_000;
const TOTAL = PODS * SIZE;
const root = { prefix: '' };

const upper: ObjectEncoder = {
  id: 'upper',
  encode: (object) => Buffer.from(object.json().toString().toUpperCase()),
};

const bytesOf = (f: Fixture, kind: string): number =>
  Number(new RegExp(`kind="${kind}"\\} (\\d+)`).exec(f.env.metrics.text())?.[1]);

async function write(f: Fixture, writer: Writer, padding: () => string, app = 'first'): Promise<number> {
  for (let i = 0; i < PODS; i++) await writer.put(`ns1/pod-${i + 10}`, { app, padding: padding() });
  await f.synced();
  return f.cache.revision();
}

const text = (page: ListPage, encoder?: ObjectEncoder): string => {
  const content = Buffer.concat([...encodeItems(page.objects, encoder)]);
  assert.equal(itemsLength(page.objects, encoder), content.length);
  return content.toString();
};

describe('large old states in the event history', () => {
  it('earlier states are compressed, so that the memory of objects that were written three times is about that of one state', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    for (const letter of ['a', 'b', 'c']) await write(f, writer, () => letter.repeat(SIZE));
    assert.ok(bytesOf(f, 'objects') < TOTAL * 1.4, `${bytesOf(f, 'objects')} bytes of objects`);
    assert.ok(bytesOf(f, 'history') < TOTAL * 0.4, `${bytesOf(f, 'history')} bytes of history`);
    await f.pass(301_000);
    assert.equal(bytesOf(f, 'history'), 0);
    assert.ok(bytesOf(f, 'objects') < TOTAL * 1.1);
  });

  it('a list at an older revision, in the stored and in another form, has them unchanged', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const list = async (at?: number): Promise<ListPage> =>
      f.pods.list({ scope: root, filter: everything, ...(at === undefined ? {} : { at }) }, f.signal);
    const rev = await write(f, writer, () => 'a'.repeat(SIZE));
    const page = await list();
    const then = { plain: text(page), upper: text(page, upper) };
    const calls = { ...f.store.calls };
    await write(f, writer, () => 'b'.repeat(SIZE));
    await write(f, writer, () => 'c'.repeat(SIZE));
    for (const old of [page, await list(rev)]) {
      assert.equal(text(old), then.plain);
      assert.equal(text(old, upper), then.upper);
    }
    assert.deepEqual(f.store.calls, calls, 'the store received no request');
  });

  it('a watch that resumes before them has their deletions with their last state', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const rev = await write(f, writer, () => 'a'.repeat(SIZE));
    await write(f, writer, () => 'b'.repeat(SIZE), 'second');
    await write(f, writer, () => 'c'.repeat(SIZE), 'third');
    const recorder = new Recorder();
    const start = { kind: 'after', rev } as const;
    await f.pods.watch(
      { scope: root, filter: appFilter('first'), start, bookmarks: false },
      recorder,
      f.signal,
    );
    await f.synced();
    assert.equal(recorder.items.length, PODS);
    for (const item of recorder.items) {
      assert.ok(item.type === 'DELETED');
      const { metadata, spec } = JSON.parse(item.object.json().toString());
      assert.deepEqual([spec.padding, metadata.resourceVersion], ['a'.repeat(SIZE), String(item.rev)]);
    }
  });

  it('those that compression does not make much smaller are kept as they are', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const seeded = seededRandom(3);
    const letter = (): string => String.fromCharCode(48 + seeded.int(75));
    const random = (): string => Array.from({ length: SIZE }, letter).join('');
    await write(f, writer, random);
    await write(f, writer, random);
    assert.ok(bytesOf(f, 'history') > TOTAL);
    await f.pass(301_000);
    assert.equal(bytesOf(f, 'history'), 0);
  });
});
