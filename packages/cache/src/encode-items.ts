import { StoredObject } from './object.ts';
import { slabOf } from './slab.ts';
import type { CachedObject, Rendition } from './types.ts';

/** Largest slice handed out. */
const SLICE_BYTES = 512 * 1024;
/** Neighbours in memory of at least this size are handed out as they stand; smaller ones are copied together. */
const VIEW_BYTES = 16 * 1024;
const SCRATCH_BYTES = 256 * 1024;

/**
 * The inside of a JSON list: the objects in order with commas between them, as JSON or in a rendition, in slices of at
 * most 512 KiB. What stands together in the cache's memory is not copied. The slices must not be written to; made
 * lazily, so that a reader with back-pressure holds only what it has not written yet.
 */
export function* encodeItems(
  objects: readonly CachedObject[],
  rendition?: Rendition,
): Generator<Buffer, undefined> {
  const scratch = new Scratch();
  let run: Run | undefined;
  for (const object of objects) {
    const slot = slotOf(object, rendition);
    if (run !== undefined && run.slab === slot.slab.bytes && run.end === slot.offset) {
      run.end += slot.size + 1;
      continue;
    }
    if (run !== undefined) yield* flush(run, scratch);
    run = { slab: slot.slab.bytes, start: slot.offset, end: slot.offset + slot.size + 1 };
  }
  if (run === undefined) return;
  // The comma behind the last object is not part of the list.
  run.end--;
  yield* flush(run, scratch);
  const rest = scratch.take();
  if (rest !== undefined) yield rest;
}

/** Length of what `encodeItems` yields in total. */
export function itemsLength(objects: readonly CachedObject[], rendition?: Rendition): number {
  let length = Math.max(objects.length - 1, 0);
  for (const object of objects)
    length += rendition === undefined ? object.size : object.rendition(rendition).length;
  return length;
}

/** Where bytes stand that a comma follows. */
interface Placed {
  readonly slab: { readonly bytes: Buffer };
  readonly offset: number;
  readonly size: number;
}

/** Bytes of a slab, the comma behind each object included. */
interface Run {
  readonly slab: Buffer;
  readonly start: number;
  end: number;
}

function* flush(run: Run, scratch: Scratch): Generator<Buffer, undefined> {
  if (run.end - run.start < VIEW_BYTES) {
    const full = scratch.append(run);
    if (full !== undefined) yield full;
    return;
  }
  const before = scratch.take();
  if (before !== undefined) yield before;
  for (let start = run.start; start < run.end; start += SLICE_BYTES) {
    yield run.slab.subarray(start, Math.min(start + SLICE_BYTES, run.end));
  }
}

/** Collects small runs. A chunk handed out is never written to again. */
class Scratch {
  #chunk: Buffer | undefined;
  #used = 0;

  /** Copies a run in; returns the chunk before it when there was no room left. */
  append(run: Run): Buffer | undefined {
    const length = run.end - run.start;
    const full = this.#used + length > SCRATCH_BYTES ? this.take() : undefined;
    this.#chunk ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
    run.slab.copy(this.#chunk, this.#used, run.start, run.end);
    this.#used += length;
    return full;
  }

  take(): Buffer | undefined {
    const chunk = this.#used > 0 ? this.#chunk?.subarray(0, this.#used) : undefined;
    this.#chunk = undefined;
    this.#used = 0;
    return chunk;
  }
}

function slotOf(object: CachedObject, rendition: Rendition | undefined): Placed {
  if (!(object instanceof StoredObject))
    return ownSlot(rendition === undefined ? object.json() : object.rendition(rendition));
  if (rendition === undefined) return object;
  return object.memo?.slot(object, rendition) ?? ownSlot(rendition.render(object));
}

/** Bytes from elsewhere, with their comma. */
function ownSlot(bytes: Buffer): Placed {
  return { slab: slabOf(bytes), offset: 0, size: bytes.length };
}
