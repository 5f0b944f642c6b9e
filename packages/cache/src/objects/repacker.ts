import { yieldToEventLoop } from '@orch/machinery/concurrency';
import type { Arena } from './arena.ts';
import type { StoredObject } from './stored-object.ts';
import type { Tree } from './tree.ts';

/** The objects of a resource and the memory of their bytes. */
export interface PackedState {
  readonly tree: Tree<StoredObject>;
  readonly arena: Arena;
}

/** Adjacent objects of this total size are not moved: a list writes them as one view. */
const LONG_RUN_BYTES = 64 * 1024;
/** A list justifies repacking when this many of its bytes, and this share of them, are in short runs. */
const WORTH_BYTES = 1024 * 1024;
const WORTH_SHARE = 1 / 8;
/** Lists of fewer objects are not examined. */
const FEW_OBJECTS = 64;
/** Objects processed, and bytes compacted, in one iteration of the event loop. */
const STEP_OBJECTS = 512;
const STEP_BYTES = 1024 * 1024;

/** Calls `visit` with each run of objects that are adjacent in memory, and its length in bytes. */
function forEachRun(
  objects: readonly StoredObject[],
  visit: (start: number, end: number, bytes: number) => void,
): void {
  let start = 0;
  let bytes = 0;
  for (let i = 0; i < objects.length; i++) {
    const object = objects[i];
    if (object === undefined) break;
    bytes += object.size + 1;
    const next = objects[i + 1];
    if (next !== undefined && next.slab === object.slab && next.offset === object.offset + object.size + 1)
      continue;
    visit(start, i + 1, bytes);
    start = i + 1;
    bytes = 0;
  }
}

/** Reports whether lists like this one would be much cheaper if the objects were in key order in memory. */
function isScattered(objects: readonly StoredObject[]): boolean {
  let total = 0;
  let short = 0;
  forEachRun(objects, (_start, _end, bytes) => {
    total += bytes;
    if (bytes < LONG_RUN_BYTES) short += bytes;
  });
  return short >= WORTH_BYTES && short >= total * WORTH_SHARE;
}

/**
 * Moves objects that are scattered in memory into key order, in small steps. Objects loaded by a list are in that order
 * from the start; objects written later are in the order of their writes, and each list has to join them. Afterwards
 * the slabs that became sparse are compacted, since otherwise memory would hold two copies of the objects.
 */
async function repack(state: PackedState, signal: AbortSignal): Promise<void> {
  for (let after: string | undefined; !signal.aborted; ) {
    const objects = state.tree.collect('', after, STEP_OBJECTS);
    forEachRun(objects, (start, end, bytes) => {
      if (bytes >= LONG_RUN_BYTES) return;
      for (let i = start; i < end; i++) {
        const object = objects[i];
        if (object !== undefined) state.arena.moveInOrder(object);
      }
    });
    await yieldToEventLoop();
    after = objects.at(-1)?.key;
    if (objects.length < STEP_OBJECTS) break;
  }
  while (!signal.aborted && state.arena.compact(STEP_BYTES)) await yieldToEventLoop();
}

export interface RepackerOptions {
  /** Time between two repackings. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  /** Repacks the memory when another thread has written it. */
  readonly elsewhere?: (() => void) | undefined;
}

/** Repacks a resource when a list of it is scattered in memory, at most once per pause. */
export class Repacker {
  readonly #state: PackedState;
  readonly #options: RepackerOptions;
  #busy = false;
  #nextAt = 0;

  constructor(state: PackedState, options: RepackerOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** Must be called with each list of the current state. */
  listed(objects: readonly StoredObject[], now: number): void {
    if (this.#busy || now < this.#nextAt || objects.length < FEW_OBJECTS || !isScattered(objects)) return;
    this.repack(now);
  }

  /** Starts to repack, unless the last time was within the pause. */
  repack(now: number): void {
    if (this.#busy || now < this.#nextAt) return;
    const { pauseMs, elsewhere } = this.#options;
    this.#nextAt = now + pauseMs;
    if (elsewhere !== undefined) {
      elsewhere();
      return;
    }
    this.#busy = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    try {
      await yieldToEventLoop();
      await repack(this.#state, this.#options.signal);
    } finally {
      this.#busy = false;
    }
  }
}
