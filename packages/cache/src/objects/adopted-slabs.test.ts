import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AdoptedSlab, AdoptedSlabs, type Moves } from './adopted-slabs.ts';
import { Arena } from './arena.ts';
import { SharedSlabs } from './shared-slabs.ts';
import type { Place, Slab, Slot } from './slab.ts';

/** Three of these strings fill the first slab of an arena. */
const LENGTH = 20_000;

class Thing implements Slot {
  slab: Slab;
  offset: number;
  readonly size: number;
  live = false;
  readonly text: string;

  constructor(arena: Arena, text: string, place: Place) {
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = place.size;
    this.text = text;
    arena.adopt(this);
  }

  view(): Buffer {
    return this.slab.bytes.subarray(this.offset, this.offset + this.size);
  }
}

type Message =
  | {
      readonly type: 'placed';
      readonly key: string;
      readonly slab: number;
      readonly offset: number;
      text: string;
    }
  | {
      readonly type: 'dropped';
      readonly slab: number;
      readonly moves: readonly (readonly [number, number, number])[];
    };

/** The thread that writes: it keeps the newest state of each key, and sends places and moves. */
class Writer {
  readonly sent: Message[] = [];
  readonly buffers = new Map<number, SharedArrayBuffer>();
  readonly #slabs = new SharedSlabs();
  readonly #arena: Arena;
  readonly #things = new Map<string, Thing>();

  constructor() {
    this.#slabs.onRetired(({ slab }) => this.#dropped(slab));
    this.#arena = new Arena(1, this.#slabs.memory());
  }

  write(key: string, version: number): void {
    const text = `${key}${version}`.padEnd(LENGTH, key);
    const thing = new Thing(this.#arena, text, this.#arena.place(Buffer.from(text)));
    const before = this.#things.get(key);
    this.#things.set(key, thing);
    const slab = this.#idOf(thing.slab);
    this.sent.push({ type: 'placed', key, slab, offset: thing.offset, text });
    if (before !== undefined) this.#arena.release(before);
  }

  compact(): void {
    this.#arena.compact(1e9);
  }

  #idOf({ sharing }: Slab): number {
    assert.ok(sharing);
    this.buffers.set(sharing.id, sharing.buffer);
    return sharing.id;
  }

  #dropped(slab: Slab): void {
    const moves = (slab.sharing?.moved ?? [])
      .filter(({ slot }) => slot.live)
      .map(({ from, slot }) => [from, this.#idOf(slot.slab), slot.offset] as const)
      .sort(([a], [b]) => a - b);
    this.sent.push({ type: 'dropped', slab: this.#idOf(slab), moves });
  }
}

interface Placed {
  readonly key: string;
  readonly text: string;
  readonly slab: AdoptedSlab;
  readonly offset: number;
}

/** A thread that reads: it receives messages in order, and uses places some time after it received them. */
class Reader {
  readonly #writer: Writer;
  readonly #appliesMoves: 'at once' | 'in order';
  readonly #arena = new Arena();
  readonly #slabs = new AdoptedSlabs();
  readonly #known = new Set<number>();
  readonly #received: (() => void)[] = [];
  readonly #things = new Map<string, Thing>();
  readonly #views: { readonly view: Buffer; readonly text: string }[] = [];
  #next = 0;

  constructor(writer: Writer, appliesMoves: 'at once' | 'in order' = 'in order') {
    this.#writer = writer;
    this.#appliesMoves = appliesMoves;
  }

  canReceive(): boolean {
    return this.#next < this.#writer.sent.length;
  }

  receive(): void {
    const message = this.#writer.sent[this.#next++];
    assert.ok(message);
    if (message.type === 'placed') {
      const placed = { ...message, slab: this.#slab(message.slab) };
      this.#received.push(() => this.#use(placed));
      return;
    }
    const moves = this.#movesOf(message.moves);
    const dropped = this.#slabs.remove(message.slab);
    if (this.#appliesMoves === 'at once') dropped.retire(moves);
    else this.#received.push(() => dropped.retire(moves));
  }

  canUse(): boolean {
    return this.#received.length > 0;
  }

  use(): void {
    this.#received.shift()?.();
  }

  check(): void {
    const seen = [
      ...this.#views,
      ...Array.from(this.#things.values(), (t) => ({ view: t.view(), text: t.text })),
    ];
    for (const { view, text } of seen) assert.ok(view.toString('latin1') === text, text.slice(0, 9));
  }

  /** Bytes in slabs of this thread only. */
  get copied(): number {
    return this.#arena.usedBytes;
  }

  get slabs(): number {
    return this.#slabs.size;
  }

  #use(placed: Placed): void {
    const place = this.#arena.placeAt({ ...placed, size: placed.text.length });
    const thing = new Thing(this.#arena, placed.text, place);
    const before = this.#things.get(placed.key);
    this.#things.set(placed.key, thing);
    this.#views.push({ view: thing.view(), text: placed.text });
    if (before !== undefined) this.#arena.release(before);
  }

  #movesOf(moves: Extract<Message, { type: 'dropped' }>['moves']): Moves {
    return {
      from: Uint32Array.from(moves, ([from]) => from),
      slabs: moves.map(([, slab]) => this.#slab(slab)),
      offsets: Uint32Array.from(moves, ([, , offset]) => offset),
    };
  }

  #slab(id: number): AdoptedSlab {
    const buffer = this.#writer.buffers.get(id);
    assert.ok(buffer);
    if (!this.#known.has(id)) this.#slabs.add(id, buffer);
    this.#known.add(id);
    return this.#slabs.get(id);
  }
}

/** The steps of the writer: two slabs become sparse and are compacted, the second one with bytes that were moved into it. */
const STEPS: readonly ((writer: Writer) => void)[] = [
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

/** Runs the choices, and returns those that are possible next. */
function run(choices: readonly Choice[], appliesMoves: 'at once' | 'in order'): readonly Choice[] {
  const writer = new Writer();
  const reader = new Reader(writer, appliesMoves);
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

describe('AdoptedSlabs of another thread', () => {
  for (const appliesMoves of ['at once', 'in order'] as const)
    it(`a reader has the right bytes in every order of writes, messages and their use (moves ${appliesMoves})`, () => {
      let orders = 0;
      const explore = (choices: readonly Choice[]): void => {
        const next = run(choices, appliesMoves);
        if (next.length === 0) orders++;
        for (const choice of next) explore([...choices, choice]);
      };
      explore([]);
      assert.ok(orders > 200, `${orders} orders`);
    });

  it('a reader that keeps up copies nothing when slabs are compacted', () => {
    const writer = new Writer();
    const reader = new Reader(writer);
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
