import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pool, ReadingThread, shared, Thing, WritingThread } from '../testing/slab-model.ts';
import { AdoptedSlab, type Moves } from './adopted-slabs.ts';
import { Arena } from './arena.ts';

/** The steps of the writer: two slabs become sparse and are compacted, the second one with bytes that were moved into it. */
const STEPS: readonly ((writer: WritingThread) => void)[] = [
  (writer) => {
    for (const key of ['a', 'b', 'c']) writer.write(key, 1);
  },
  (writer) => {
    for (const key of ['a', 'b']) writer.write(key, 2);
  },
  (writer) => writer.compact(),
  (writer) => {
    for (const version of [3, 4, 5]) writer.write('a', version);
    writer.write('b', 3);
  },
  (writer) => writer.compact(),
];

/** Places and drops of slabs that a reader uses without a pause. */
const USED_AT_A_TIME = 5;

type Choice = 'write' | 'receive' | 'use';

interface Model {
  readonly appliesMoves: 'at once' | 'in order';
  readonly memory: typeof shared;
}

/** Runs the choices, and returns those that are possible next. */
function run(choices: readonly Choice[], { appliesMoves, memory }: Model): readonly Choice[] {
  const writer = new WritingThread(memory);
  const reader = new ReadingThread(writer, appliesMoves);
  let step = 0;
  for (const choice of choices) {
    if (choice === 'write') STEPS[step++]?.(writer);
    else if (choice === 'receive') while (reader.canReceive()) reader.receive();
    else for (let used = 0; used < USED_AT_A_TIME && reader.canUse(); used++) reader.use();
  }
  reader.check();
  const next: Choice[] = [];
  if (step < STEPS.length) next.push('write');
  if (reader.canReceive()) next.push('receive');
  if (reader.canUse()) next.push('use');
  if (next.length === 0) assert.ok(reader.slabs <= 2, `${reader.slabs} slabs are known at the end`);
  return next;
}

/** Runs every order of choices; returns their number. */
function explore(model: Model, choices: readonly Choice[] = []): number {
  const next = run(choices, model);
  if (next.length === 0) return 1;
  return next.reduce((orders, choice) => orders + explore(model, [...choices, choice]), 0);
}

describe('AdoptedSlabs of another thread', () => {
  for (const appliesMoves of ['at once', 'in order'] as const)
    it(`a reader has the right bytes and keys in every order of writes, messages and their use (moves ${appliesMoves})`, () => {
      const orders = explore({ appliesMoves, memory: shared });
      assert.ok(orders > 200, `${orders} orders`);
    });

  it('a pool that uses a slab again while another thread reads it is found', () => {
    assert.throws(() => explore({ appliesMoves: 'in order', memory: pool }), /^AssertionError.*"a1"/);
  });

  it('a reader that keeps up copies nothing when slabs are compacted', () => {
    const writer = new WritingThread();
    const reader = new ReadingThread(writer);
    for (const step of STEPS) {
      step(writer);
      while (reader.canReceive()) reader.receive();
      while (reader.canUse()) reader.use();
      reader.check();
    }
    assert.ok(writer.sent.some(({ type }) => type === 'dropped'));
    assert.equal(reader.copied, 0);
  });

  it('a place in a slab that was dropped twice is found where its bytes are now', () => {
    const [first, second, third] = [1, 2, 3].map(() => new AdoptedSlab(new SharedArrayBuffer(16)));
    assert.ok(first && second && third);
    const moves = (slab: AdoptedSlab): Moves => ({
      from: Uint32Array.of(4),
      slabs: [slab],
      offsets: Uint32Array.of(4),
    });
    second.retire(moves(third));
    first.retire(moves(second));
    assert.equal(first.placeOf(4)?.slab, third);
    assert.equal(first.placeOf(5), undefined);
  });

  it('an object in memory of the thread moves to the place where another thread has the same bytes', () => {
    const arena = new Arena();
    const thing = new Thing(arena, 'same', arena.place(Buffer.from('same')));
    const buffer = new SharedArrayBuffer(16);
    Buffer.from(buffer).write('..same,');
    arena.moveTo(thing, { slab: new AdoptedSlab(buffer), offset: 2, size: 4 });
    assert.equal(thing.view().toString(), 'same');
    assert.equal(thing.view().buffer, buffer);
    assert.equal(arena.liveBytes, 5);
    arena.release(thing);
    assert.equal(arena.liveBytes, 0);
  });
});
