import assert from 'node:assert/strict';
import { type AdoptedSlab, AdoptedSlabs, type Moves } from '../objects/adopted-slabs.ts';
import { Arena } from '../objects/arena.ts';
import { keyAt, nameOffsetOf } from '../objects/json-key.ts';
import { SharedSlabs } from '../objects/shared-slabs.ts';
import { type Place, Slab, type SlabMemory, type Slot } from '../objects/slab.ts';

/** Three of these strings fill the first slab of an arena. */
const LENGTH = 20_000;

/** The JSON of a version of an object, from which its key can be read. */
const jsonOf = (key: string, version: number): string => {
  const head = `{"version":"${key}${version}","metadata":{"name":"${key}","namespace":"${key}","text":"`;
  return `${head.padEnd(LENGTH - 3, key)}"}}`;
};

/** A string in an arena; its key is read from the string when that is the JSON of an object. */
export class Thing implements Slot {
  slab: Slab;
  offset: number;
  readonly size: number;
  live = false;
  readonly text: string;
  readonly #nameOffset: number;

  constructor(arena: Arena, text: string, place: Place) {
    this.#nameOffset = nameOffsetOf(place, keyOf(text));
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = place.size;
    this.text = text;
    arena.adopt(this);
  }

  /** Asserts that its bytes and its key are what they were at first. */
  check(): void {
    assert.ok(this.view().toString('latin1') === this.text, this.text.slice(0, 16));
    assert.ok(this.#nameOffset > 0);
    assert.equal(keyAt(this.slab.bytes, this.offset + this.#nameOffset), keyOf(this.text));
  }

  view(): Buffer {
    return this.slab.bytes.subarray(this.offset, this.offset + this.size);
  }
}

/** The key in the JSON of the model, in which the name is the namespace too. */
function keyOf(text: string): string {
  const name = /"name":"([^"]*)"/.exec(text)?.[1] ?? '';
  return `${name}/${name}`;
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

/** Larger than each slab of the test. */
const LARGEST_BYTES = 512 * 1024;

/** Memory that uses dropped slabs again, as a pool does, although other threads may read them. */
export function pool(retired: (slab: Slab) => void): SlabMemory {
  const free: SharedArrayBuffer[] = [];
  let slabs = 0;
  return {
    allocate(bytes) {
      const buffer = free.pop() ?? new SharedArrayBuffer(LARGEST_BYTES);
      return new Slab(Buffer.from(buffer, 0, bytes), { sharing: { id: ++slabs, buffer, moved: [] } });
    },
    dropped(slab) {
      if (slab.sharing !== undefined) free.push(slab.sharing.buffer);
      retired(slab);
    },
    end: () => undefined,
  };
}

/** Memory as the server has it. */
export function shared(retired: (slab: Slab) => void): SlabMemory {
  const slabs = new SharedSlabs();
  slabs.onRetired(({ slab }) => retired(slab));
  return slabs.memory();
}

/** The thread that writes: it keeps the newest state of each key, and sends places and moves. */
export class WritingThread {
  readonly sent: Message[] = [];
  readonly buffers = new Map<number, SharedArrayBuffer>();
  readonly #arena: Arena;
  readonly #things = new Map<string, Thing>();

  constructor(memory = shared) {
    this.#arena = new Arena(
      1,
      memory((slab) => this.#dropped(slab)),
    );
  }

  write(key: string, version: number): void {
    const text = jsonOf(key, version);
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
export class ReadingThread {
  readonly #writer: WritingThread;
  readonly #appliesMoves: 'at once' | 'in order';
  readonly #arena = new Arena();
  readonly #slabs = new AdoptedSlabs();
  readonly #known = new Set<number>();
  readonly #received: (() => void)[] = [];
  readonly #things = new Map<string, Thing>();
  /** All things that this thread has used, also those that others have replaced: histories and old lists hold them. */
  readonly #used: Thing[] = [];
  readonly #views: { readonly view: Buffer; readonly text: string }[] = [];
  #next = 0;

  constructor(writer: WritingThread, appliesMoves: 'at once' | 'in order' = 'in order') {
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
    for (const { view, text } of this.#views) assert.ok(view.toString('latin1') === text, text.slice(0, 16));
    for (const thing of this.#used) thing.check();
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
    this.#used.push(thing);
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
