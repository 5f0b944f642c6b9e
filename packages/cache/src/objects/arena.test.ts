import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { Arena } from './arena.ts';
import { type Slab, type Slot, slabOf } from './slab.ts';

class Thing implements Slot {
  slab: Slab;
  offset: number;
  readonly size: number;
  live = false;
  readonly text: string;

  constructor(arena: Arena, text: string) {
    const bytes = Buffer.from(text);
    const place = arena.place(bytes);
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = bytes.length;
    this.text = text;
    arena.adopt(this);
  }

  get read(): string {
    return this.slab.bytes.toString('utf8', this.offset, this.offset + this.size + 1);
  }
}

describe('Arena of slabs', () => {
  it('inserted text replaces bytes or is added between two while they are copied', () => {
    const arena = new Arena();
    const bytes = Buffer.from('{"a":"old","b":2}');
    for (const [insert, expected] of [
      [{ offset: 6, text: 'newer', resume: 9 }, '{"a":"newer","b":2}'],
      [{ offset: 10, text: ',"c":3', resume: 10 }, '{"a":"old","c":3,"b":2}'],
      [{ offset: 0, text: '', resume: 17 }, ''],
      [undefined, '{"a":"old","b":2}'],
    ] as const) {
      const { slab, offset, size } = arena.place(bytes, insert);
      assert.equal(slab.bytes.toString('latin1', offset, offset + size + 1), `${expected},`);
      const loose = slabOf(bytes, insert);
      assert.deepEqual([loose.bytes.toString(), loose.used], [`${expected},`, size + 1]);
    }
    assert.equal(bytes.toString(), '{"a":"old","b":2}');
  });

  it('consecutive strings are adjacent with a comma between them', () => {
    const arena = new Arena();
    const [a, b] = [new Thing(arena, '{"a":1}'), new Thing(arena, '{"b":2}')];
    assert.equal(a.slab, b.slab);
    assert.equal(b.offset, a.offset + a.size + 1);
    assert.equal(a.slab.bytes.toString('utf8', a.offset, b.offset + b.size), '{"a":1},{"b":2}');
  });

  it('consecutive strings are adjacent without a separator when the gap is 0', () => {
    const arena = new Arena(0);
    const things = ['ab', 'c', 'def'].map((text) => new Thing(arena, text));
    const [first] = things;
    assert.equal(first?.slab.bytes.toString('utf8', 0, first.slab.used), 'abcdef');
    assert.deepEqual([arena.liveBytes, arena.usedBytes], [6, 6]);
    for (const thing of things) arena.release(thing);
    assert.equal(arena.liveBytes, 0);
  });

  it('live strings are unchanged and memory is bounded during random releases, moves and reordering', () => {
    const random = seededRandom(3);
    const arena = new Arena();
    let things: Thing[] = [];
    for (let i = 0; i < 30_000; i++) {
      things.push(new Thing(arena, `${i} ${'x'.repeat(random.int(random.int(20) === 0 ? 2000 : 200))}`));
      if (things.length > 3000) {
        const index = random.int(things.length);
        const [gone] = things.splice(index, 1);
        if (gone !== undefined) arena.release(gone);
      }
      arena.compact(500);
      if (i % 10_000 === 9999) {
        things = things.sort((a, b) => (a.text < b.text ? -1 : 1));
        for (const thing of things) arena.moveInOrder(thing);
      }
    }
    while (arena.compact(1e6));
    for (const thing of things) assert.equal(thing.read, `${thing.text},`);
    const live = things.reduce((sum, thing) => sum + thing.size + 1, 0);
    assert.equal(arena.liveBytes, live);
    assert.ok(arena.usedBytes < live * 1.4 + 4 * 1024 * 1024, `${arena.usedBytes} for ${live}`);
    for (const thing of things) arena.release(thing);
    while (arena.compact(1e6));
    assert.equal(arena.liveBytes, 0);
  });

  it('views stay valid when their string is moved', () => {
    const arena = new Arena();
    const things = Array.from({ length: 2000 }, (_, i) => new Thing(arena, `${i} ${'y'.repeat(100)}`));
    const views = things.map((t) => ({
      view: t.slab.bytes.subarray(t.offset, t.offset + t.size),
      text: t.text,
    }));
    things.forEach((thing, i) => {
      if (i % 3 !== 0) arena.release(thing);
    });
    while (arena.compact(1000));
    for (let i = 0; i < 2000; i++) new Thing(arena, 'z'.repeat(100));
    for (const { view, text } of views) assert.equal(view.toString(), text);
  });

  it('a large string gets memory of exactly its size', () => {
    const arena = new Arena();
    const large = new Thing(arena, 'x'.repeat(3_000_000));
    assert.equal(large.slab.bytes.length, 3_000_001);
    assert.equal(arena.usedBytes, 3_000_001);
    arena.release(large);
    assert.equal(arena.usedBytes, 0);
  });
});
