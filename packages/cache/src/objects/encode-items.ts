import type { CachedObject, Rendition } from '../types.ts';
import { slabOf } from './arena.ts';
import { StoredObject } from './stored-object.ts';

/** Largest slice handed out. */
const SLICE_BYTES = 512 * 1024;

/**
 * The inside of a list: the objects in order with commas between them, as JSON or in a rendition, which may do without
 * the commas, in slices of at most 512 KiB. Slices are views of the cache's memory, one for all objects that stand together there: they must not be
 * written to, and whoever sends them joins the small ones. Made lazily, so that a reader with back-pressure holds only
 * what it has not written yet.
 */
export function* encodeItems(
  objects: readonly CachedObject[],
  rendition?: Rendition,
): Generator<Buffer, undefined> {
  const gap = gapOf(rendition);
  let run: Run | undefined;
  for (const object of objects) {
    const slot = slotOf(object, rendition);
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
export function itemsLength(objects: readonly CachedObject[], rendition?: Rendition): number {
  let length = Math.max(objects.length - 1, 0) * gapOf(rendition);
  for (const object of objects) length += rendition === undefined ? object.size : sizeIn(object, rendition);
  return length;
}

/** Length of an object in a rendition, which is made when needed. */
export const sizeIn = (object: CachedObject, rendition: Rendition): number =>
  object instanceof StoredObject && object.memo !== undefined
    ? object.memo.slot(object, rendition).size
    : object.rendition(rendition).length;

/** Bytes between two objects of a list. */
const gapOf = (rendition: Rendition | undefined): 0 | 1 => (rendition?.unseparated === true ? 0 : 1);

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
