import type { CachedObject, ObjectEncoder } from '../types.ts';
import { slabOf } from './arena.ts';
import { StoredObject } from './stored-object.ts';

/** Largest slice handed out. */
const SLICE_BYTES = 512 * 1024;

/**
 * The inside of a list: the objects in order with commas between them, as JSON or in a encoder, which may do without
 * the commas, in slices of at most 512 KiB. Slices are views of the cache's memory, one for all objects that stand together there: they must not be
 * written to, and whoever sends them joins the small ones. Made lazily, so that a reader with back-pressure holds only
 * what it has not written yet.
 */
export function* encodeItems(
  objects: readonly CachedObject[],
  encoder?: ObjectEncoder,
): Generator<Buffer, undefined> {
  const gap = gapOf(encoder);
  let run: Run | undefined;
  for (const object of objects) {
    const slot = slotOf(object, encoder);
    if (run !== undefined && run.slab === slot.slab.bytes && run.end === slot.offset) {
      run.end += slot.size + gap;
      continue;
    }
    if (run !== undefined) yield* views(run);
    run = { slab: slot.slab.bytes, start: slot.offset, end: slot.offset + slot.size + gap };
  }
  if (run === undefined) return;
  // The comma behind the last object is not part of the list.
  run.end -= gap;
  yield* views(run);
}

/** Length of what `encodeItems` yields in total. */
export function itemsLength(objects: readonly CachedObject[], encoder?: ObjectEncoder): number {
  let length = Math.max(objects.length - 1, 0) * gapOf(encoder);
  for (const object of objects) length += encoder === undefined ? object.size : sizeIn(object, encoder);
  return length;
}

/** Length of an object in a encoder, which is made when needed. */
export const sizeIn = (object: CachedObject, encoder: ObjectEncoder): number =>
  object instanceof StoredObject && object.encodingCache !== undefined
    ? object.encodingCache.slot(object, encoder).size
    : object.encoded(encoder).length;

/** Bytes between two objects of a list. */
const gapOf = (encoder: ObjectEncoder | undefined): 0 | 1 => (encoder?.unseparated === true ? 0 : 1);

/** Where bytes stand, and the comma that may follow them. */
interface Placed {
  readonly slab: { readonly bytes: Buffer };
  readonly offset: number;
  readonly size: number;
}

/** Bytes of a slab, with what follows each object. */
interface Run {
  readonly slab: Buffer;
  readonly start: number;
  end: number;
}

function* views(run: Run): Generator<Buffer, undefined> {
  for (let start = run.start; start < run.end; start += SLICE_BYTES) {
    yield run.slab.subarray(start, Math.min(start + SLICE_BYTES, run.end));
  }
}

function slotOf(object: CachedObject, encoder: ObjectEncoder | undefined): Placed {
  if (!(object instanceof StoredObject))
    return ownSlot(encoder === undefined ? object.json() : object.encoded(encoder));
  if (encoder === undefined) return object;
  return object.encodingCache?.slot(object, encoder) ?? ownSlot(encoder.encode(object));
}

/** Bytes from elsewhere, with their comma. */
function ownSlot(bytes: Buffer): Placed {
  return { slab: slabOf(bytes), offset: 0, size: bytes.length };
}
