import type { ResourceState } from '../resource/resource-state.ts';
import { nextTick } from '../watch/flush-scheduler.ts';
import type { StoredObject } from './stored-object.ts';

/** Neighbours in memory of this size are good enough: a list writes them as one view. */
const LONG_RUN_BYTES = 64 * 1024;
/** A list is worth repacking for when it is this large, and this part of it stands in short runs. */
const WORTH_BYTES = 1024 * 1024;
const WORTH_SHARE = 1 / 8;
/** Lists of fewer objects are not looked at. */
const FEW_OBJECTS = 64;
/** Objects looked at in one turn, and bytes then moved out of what they left behind. */
const STEP_OBJECTS = 512;
const STEP_BYTES = 1024 * 1024;

/** Calls `visit` with each run of objects that stand next to each other in memory, and its length in bytes. */
export function forEachRun(
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

/** Would lists like this one gain much from objects standing in key order? */
export function isScattered(objects: readonly StoredObject[]): boolean {
  let total = 0;
  let short = 0;
  forEachRun(objects, (_start, _end, bytes) => {
    total += bytes;
    if (bytes < LONG_RUN_BYTES) short += bytes;
  });
  return short >= WORTH_BYTES && short >= total * WORTH_SHARE;
}

/**
 * Moves what stands scattered in memory into key order, in small steps. Objects loaded by a list stand in that order
 * from the beginning; written ones stand in the order of their writes, and a list has to copy them together each time.
 * What stays behind in slabs that are sparse now is moved as well, or two copies of everything would be in memory.
 */
export async function repack(state: ResourceState, signal: AbortSignal): Promise<void> {
  for (let after: string | undefined; !signal.aborted; ) {
    const objects = state.tree.collect('', after, STEP_OBJECTS);
    forEachRun(objects, (start, end, bytes) => {
      if (bytes >= LONG_RUN_BYTES) return;
      for (let i = start; i < end; i++) {
        const object = objects[i];
        if (object !== undefined) state.arena.moveInOrder(object);
      }
    });
    await nextTick();
    after = objects.at(-1)?.key;
    if (objects.length < STEP_OBJECTS) break;
  }
  while (!signal.aborted && state.arena.compact(STEP_BYTES)) await nextTick();
}

/** Repacks a resource when its lists find it scattered, but not all the time. */
export class Repacker {
  readonly #state: ResourceState;
  readonly #signal: AbortSignal;
  readonly #pauseMs: number;
  #busy = false;
  #nextAt = 0;

  constructor(state: ResourceState, signal: AbortSignal, pauseMs: number) {
    this.#state = state;
    this.#signal = signal;
    this.#pauseMs = pauseMs;
  }

  /** To be told of every large list of the current state. */
  listed(objects: readonly StoredObject[], now: number): void {
    if (this.#busy || now < this.#nextAt || objects.length < FEW_OBJECTS || !isScattered(objects)) return;
    this.#busy = true;
    this.#nextAt = now + this.#pauseMs;
    void this.#run();
  }

  async #run(): Promise<void> {
    try {
      await nextTick();
      await repack(this.#state, this.#signal);
    } finally {
      this.#busy = false;
    }
  }
}
