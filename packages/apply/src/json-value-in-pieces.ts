import { Pace, type Work } from '@orch/machinery/concurrency';
import {
  hasManyParts,
  isExactNumber,
  isJsonObject,
  type MutableJsonObject,
  noteWidth,
  setField,
} from '@orch/machinery/json';
import {
  type CopyLimits,
  type Counted,
  cloneCounted,
  deeperThan,
  jsonEqual,
  LimitReached,
} from './json-value.ts';

/** Like `jsonEqual`, in pieces. */
export const jsonEqualInPieces = (a: unknown, b: unknown, maxDepth: number): Work<boolean | undefined> =>
  equal([a, b], maxDepth, new Pace());

function* equal(
  [a, b]: readonly [unknown, unknown],
  maxDepth: number,
  pace: Pace,
): Work<boolean | undefined> {
  const isDivided = a !== b && maxDepth > 0 && hasManyParts(a);
  if (isDivided && Array.isArray(a) && Array.isArray(b)) return yield* equalItems([a, b], maxDepth - 1, pace);
  if (isDivided && isJsonObject(a) && isJsonObject(b)) return yield* equalFields([a, b], maxDepth - 1, pace);
  return jsonEqual(a, b, maxDepth);
}

function* equalItems(
  [a, b]: readonly [readonly unknown[], readonly unknown[]],
  maxDepth: number,
  pace: Pace,
): Work<boolean | undefined> {
  if (a.length !== b.length) return false;
  for (const [i, item] of a.entries()) {
    if (pace.isDue()) yield;
    const isSame = hasManyParts(item)
      ? yield* equal([item, b[i]], maxDepth, pace)
      : jsonEqual(item, b[i], maxDepth);
    if (isSame !== true) return isSame;
  }
  return true;
}

function* equalFields(
  [a, b]: readonly [MutableJsonObject, MutableJsonObject],
  maxDepth: number,
  pace: Pace,
): Work<boolean | undefined> {
  const names = Object.keys(a);
  yield;
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    if (pace.isDue()) yield;
    if (!Object.hasOwn(b, name)) return false;
    const value = a[name];
    const isSame = hasManyParts(value)
      ? yield* equal([value, b[name]], maxDepth, pace)
      : jsonEqual(value, b[name], maxDepth);
    if (isSame !== true) return isSame;
  }
  return true;
}

/** Like `cloneCounted`, in pieces. */
export function* cloneCountedInPieces(value: unknown, limits: CopyLimits): Work<Counted> {
  const copying = new Copying(limits.maxBytes);
  const copy = yield* copying.copyOf(value, limits.maxDepth);
  return { copy, bytes: copying.bytes };
}

class Copying {
  readonly #maxBytes: number;
  readonly #pace = new Pace();
  bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *copyOf(value: unknown, maxDepth: number): Work<unknown> {
    if (!hasManyParts(value) || isExactNumber(value)) return this.#copyOfSmall(value, maxDepth);
    this.#count(4);
    if (maxDepth <= 0) throw new LimitReached('depth');
    if (Array.isArray(value)) return yield* this.#copyOfList(value, maxDepth - 1);
    return yield* this.#copyOfObject(value as MutableJsonObject, maxDepth - 1);
  }

  #copyOfSmall(value: unknown, maxDepth: number): unknown {
    const { copy, bytes } = cloneCounted(value, { maxDepth, maxBytes: this.#maxBytes - this.bytes });
    this.bytes += bytes;
    return copy;
  }

  *#copyOfList(list: readonly unknown[], maxDepth: number): Work<unknown[]> {
    const copy: unknown[] = [];
    for (const item of list) {
      if (this.#pace.isDue()) yield;
      copy.push(hasManyParts(item) ? yield* this.copyOf(item, maxDepth) : this.#copyOfSmall(item, maxDepth));
    }
    return copy;
  }

  *#copyOfObject(object: MutableJsonObject, maxDepth: number): Work<MutableJsonObject> {
    const copy: MutableJsonObject = {};
    const names = Object.keys(object);
    noteWidth(copy, names.length);
    for (const name of names) {
      if (this.#pace.isDue()) yield;
      this.#count(name.length + 3);
      const value = object[name];
      const isLarge = hasManyParts(value);
      setField(
        copy,
        name,
        isLarge ? yield* this.copyOf(value, maxDepth) : this.#copyOfSmall(value, maxDepth),
      );
    }
    return copy;
  }

  #count(size: number): void {
    this.bytes += size;
    if (this.bytes > this.#maxBytes) throw new LimitReached('size');
  }
}

/** Like `deeperThan`, in pieces. */
export const deeperThanInPieces = (value: unknown, maxDepth: number): Work<boolean> =>
  isDeeper(value, maxDepth, new Pace());

function* isDeeper(value: unknown, maxDepth: number, pace: Pace): Work<boolean> {
  if (maxDepth <= 0 || !hasManyParts(value)) return deeperThan(value, maxDepth);
  const fields = Array.isArray(value) ? undefined : (value as Readonly<Record<string, unknown>>);
  // Listing the values of a wide object at once takes three times as long as its names.
  const parts: readonly unknown[] = fields === undefined ? (value as unknown[]) : Object.keys(fields);
  yield;
  for (const one of parts) {
    if (pace.isDue()) yield;
    const part = fields === undefined ? one : fields[one as string];
    if (typeof part !== 'object') continue;
    const isLarge = hasManyParts(part);
    if (isLarge ? yield* isDeeper(part, maxDepth - 1, pace) : deeperThan(part, maxDepth - 1)) return true;
  }
  return false;
}
