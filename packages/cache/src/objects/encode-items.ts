import type { CachedObject, ObjectEncoder } from '../types.ts';
import { slabOf } from './slab.ts';
import { StoredObject } from './stored-object.ts';

/**
 * Maximum size of a slice: as large as those that the HTTP servers write. Encrypting larger ones at once costs more per
 * byte, since the result no longer fits the caches of the processor.
 */
const SLICE_BYTES = 256 * 1024;

/**
 * The content of a list: the objects in order, as JSON or from an encoder, separated by commas unless the encoder is
 * `unseparated`, in slices of at most 256 KiB. Slices are views of the cache's memory, one for each run of adjacent
 * objects: they must not be written to, and the sender should join small ones. Yielded lazily, so that a reader with
 * back-pressure holds only the slices that it has not written yet.
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
  // The comma after the last object is not part of the list.
  run.end -= gap;
  yield* views(run);
}

/** Length of what `encodeItems` yields in total. */
export function itemsLength(objects: readonly CachedObject[], encoder?: ObjectEncoder): number {
  let length = Math.max(objects.length - 1, 0) * gapOf(encoder);
  for (const object of objects) length += encoder === undefined ? object.size : sizeIn(object, encoder);
  return length;
}

/** Length of an object from an encoder. Encodes the object unless the encoding is cached. */
export const sizeIn = (object: CachedObject, encoder: ObjectEncoder): number =>
  object instanceof StoredObject && object.encodingCache !== undefined
    ? object.encodingCache.slot(object, encoder).size
    : object.encoded(encoder).length;

/** Bytes between two objects of a list. */
const gapOf = (encoder: ObjectEncoder | undefined): 0 | 1 => (encoder?.unseparated === true ? 0 : 1);

/** The location of bytes that a comma may follow. */
interface Placed {
  readonly slab: { readonly bytes: Buffer };
  readonly offset: number;
  readonly size: number;
}

/** Adjacent bytes of a slab, including the separators. */
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
  if (encoder === undefined) return object.isCompressed ? ownSlot(object.json()) : object;
  return object.encodingCache?.slot(object, encoder) ?? ownSlot(encoder.encode(object));
}

/** A copy of bytes that are not in an arena, followed by a comma. */
function ownSlot(bytes: Buffer): Placed {
  return { slab: slabOf(bytes), offset: 0, size: bytes.length };
}
