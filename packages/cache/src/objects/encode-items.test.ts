import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, settle } from '@orch/machinery/testing';
import { everything, Fixture } from '../testing/fixture.ts';
import { Writer } from '../testing/writer.ts';
import type { CachedObject, ObjectEncoder } from '../types.ts';
import { encodeItems, itemsLength } from './encode-items.ts';

const all = { scope: { prefix: '' }, filter: everything };

function check(objects: readonly CachedObject[], slices: readonly Buffer[], encoder?: ObjectEncoder): void {
  const expected = objects.map((o) => (encoder === undefined ? o.json() : o.encoded(encoder)).toString());
  const separator = encoder?.unseparated === true ? '' : ',';
  assert.equal(Buffer.concat(slices).toString(), expected.join(separator));
  assert.equal(itemsLength(objects, encoder), Buffer.concat(slices).length);
  for (const slice of slices) assert.ok(slice.length > 0 && slice.length <= 256 * 1024);
}

const upper: ObjectEncoder = {
  id: 'upper',
  encode: (object) => Buffer.from(object.json().toString().toUpperCase()),
};
const joined: ObjectEncoder = { ...upper, id: 'joined', unseparated: true };

describe('encodeItems of a list', () => {
  it('objects are joined with commas, independent of their location in memory', async () => {
    const random = seededRandom(5);
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    assert.deepEqual([...encodeItems([])], []);
    for (let i = 0; i < 300; i++) await writer.put(`ns1/pod-${i}`, { padding: 'p'.repeat(random.int(9000)) });
    await f.synced();
    for (let round = 0; round < 20; round++) {
      const page = await f.pods.list({ ...all, limit: 1 + random.int(400) }, f.signal);
      const some = page.objects.filter(() => random.int(4) !== 0);
      check(page.objects, [...encodeItems(page.objects)]);
      check(some, [...encodeItems(some)]);
      check(some, [...encodeItems(some, upper)], upper);
      check(some, [...encodeItems(some, joined)], joined);
      for (let i = 0; i < 20; i++)
        await writer.put(`ns1/pod-${random.int(300)}`, { padding: 'q'.repeat(random.int(9000)) });
      await settle();
    }
    const old = await f.pods.list({ ...all, at: 200 }, f.signal);
    check(old.objects, [...encodeItems(old.objects)]);
  });

  it('objects loaded by one list are not copied, and slices are yielded lazily', async () => {
    await using first = await Fixture.open();
    const writer = new Writer(first.model);
    for (let i = 0; i < 400; i++) await writer.put(`ns1/pod-${i}`, { padding: 'p'.repeat(9000) });
    await using f = await Fixture.open({ model: first.model });
    const { objects } = await f.pods.list(all, f.signal);
    const slices = [...encodeItems(objects)];
    check(objects, slices);
    assert.ok(slices.length < 24, `${slices.length} slices`);
    const buffers = new Set(objects.map((object) => object.json().buffer));
    assert.ok(slices.every((slice) => buffers.has(slice.buffer)));
    assert.equal(encodeItems(objects).next().value?.length, slices[0]?.length);
  });

  it('objects that are scattered in memory are repacked after they were listed', async () => {
    const random = seededRandom(9);
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    for (let i = 0; i < 400; i++)
      await writer.put(`ns1/pod-${random.int(1e9)}`, { padding: 'p'.repeat(9000) });
    await f.synced();
    const slices = async (): Promise<number> => {
      const { objects } = await f.pods.list(all, f.signal);
      const encoded = [...encodeItems(objects)];
      check(objects, encoded);
      return encoded.length;
    };
    assert.ok((await slices()) > 100);
    for (let i = 0; i < 40; i++) await settle();
    assert.ok((await slices()) <= 16);
    assert.equal((await f.cache.verify(f.signal)).mismatches, 0);
  });

  it('cached encodings are not copied, with or without commas', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    for (let i = 0; i < 400; i++) await writer.put(`ns1/pod-${i}`, { padding: 'p'.repeat(2000) });
    await f.synced();
    const { objects } = await f.pods.list(all, f.signal);
    for (const encoder of [upper, joined]) {
      check(objects, [...encodeItems(objects, encoder)], encoder);
      const slices = [...encodeItems(objects, encoder)];
      const buffers = new Set(objects.map((object) => object.encoded(encoder).buffer));
      assert.ok(slices.length < 24, `${slices.length} slices`);
      assert.ok(slices.every((slice) => buffers.has(slice.buffer)));
    }
  });

  it('the encodings of one encoder may exceed the limit up to the size of the objects', async () => {
    await using f = await Fixture.open({ cache: { encodingBytes: 10_000 } });
    const writer = new Writer(f.model);
    for (let i = 0; i < 50; i++) await writer.put(`ns1/pod-${i}`, { padding: 'p'.repeat(1000) });
    await f.synced();
    let rendered = 0;
    const part = (id: string, share: number): ObjectEncoder => ({
      id,
      encode(object) {
        rendered++;
        const json = object.json();
        return Buffer.alloc(Math.floor(json.length * share), 'x');
      },
    });
    const read = async (encoder: ObjectEncoder): Promise<number> => {
      const before = rendered;
      const { objects } = await f.pods.list(all, f.signal);
      for (const object of objects) object.encoded(encoder);
      return rendered - before;
    };
    const small = part('small', 0.8);
    assert.equal(await read(small), 50);
    assert.equal(await read(small), 0);
    const large = part('large', 2);
    assert.equal(await read(large), 50);
    assert.equal(await read(small), 50, 'the other one is over the bound, so this one went');
    const again = await read(large);
    assert.ok(again > 20, 'it is kept as far as its objects reach');
    const kept = 50 - (await read(large));
    assert.ok(kept > 10 && kept < 50, `${kept} kept`);
  });

  it('encodings are cached with their objects, within the limit', async () => {
    await using f = await Fixture.open({ cache: { encodingBytes: 200_000 } });
    const writer = new Writer(f.model);
    for (let i = 0; i < 50; i++) await writer.put(`ns1/pod-${i}`, { padding: 'p'.repeat(1000) });
    await f.synced();
    let rendered = 0;
    const encoder = (id: string): ObjectEncoder => ({
      id,
      encode(object) {
        rendered++;
        return Buffer.from(`${id} ${object.json().toString()}`);
      },
    });
    const read = async (id: string): Promise<number> => {
      const before = rendered;
      const { objects } = await f.pods.list(all, f.signal);
      check(objects, [...encodeItems(objects, encoder(id))], encoder(id));
      return rendered - before;
    };
    assert.equal(await read('a'), 50);
    assert.equal(await read('a'), 0);
    await writer.put('ns1/pod-7');
    await f.synced();
    assert.equal(await read('a'), 1);
    for (const id of ['b', 'c', 'd', 'e']) await read(id);
    assert.equal(await read('e'), 0);
    assert.ok((await read('a')) >= 50, 'the one used least recently was dropped');
    const bytes = /watch_cache_bytes\{kind="encodings"\} (\d+)/.exec(f.env.metrics.text())?.[1];
    assert.ok(Number(bytes) <= 200_000, `${bytes} bytes`);
  });
});
