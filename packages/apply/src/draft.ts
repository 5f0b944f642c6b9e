import type { Work } from '@orch/machinery/concurrency';
import {
  copyFieldsInPieces,
  hasManyParts,
  isExactNumber,
  isJsonObject,
  type MutableJsonObject,
  setField,
} from '@orch/machinery/json';
import { arrayIndex, isPrefix } from './json-pointer.ts';
import { cloneCounted, jsonEqual, LimitReached } from './json-value.ts';
import { cloneCountedInPieces, jsonEqualInPieces } from './json-value-in-pieces.ts';
import { PatchError } from './patch-error.ts';

/** Bounds on the work that a small patch can cause. */
export interface JsonPatchLimits {
  readonly maxOperations: number;
  /** Total size of the values copied by all `copy` operations, approximately in bytes of JSON. */
  readonly maxCopiedBytes: number;
  /** Sum over all operations of the list items that they shifted: inserting at the front of a long list is dear. */
  readonly maxMovedItems: number;
  /** Nesting of the result. */
  readonly maxDepth: number;
}

const show = (tokens: readonly string[]): string =>
  JSON.stringify(tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));

type Container = MutableJsonObject | unknown[];

/** The limits of a change, and whether it is divided. */
export interface DraftOptions {
  readonly limits: JsonPatchLimits;
  /** Work on parts of it is divided. */
  readonly isLarge: boolean;
}

/** A document being changed: containers are copied when first written to, so that the original stays untouched. */
export class Draft {
  root: unknown;
  readonly #owned = new Set<object>();
  readonly #limits: JsonPatchLimits;
  readonly #isLarge: boolean;
  #copiedBytes = 0;
  #movedItems = 0;

  constructor(document: unknown, { limits, isLarge }: DraftOptions) {
    this.root = document;
    this.#limits = limits;
    this.#isLarge = isLarge;
  }

  *add(path: readonly string[], added: unknown): Work<void> {
    const last = path.at(-1);
    if (last === undefined) {
      this.root = added;
      return;
    }
    const parent = yield* this.#writable(path);
    if (!Array.isArray(parent)) {
      setField(parent, last, added);
      return;
    }
    // An added item may also be placed after the last one, which is -1 here.
    const index = last === '-' ? parent.length : arrayIndex(last, parent.length + 1);
    if (index === undefined) throw missing(path);
    this.#splice(parent, index, () => parent.splice(index, 0, added));
  }

  *remove(path: readonly string[]): Work<unknown> {
    const last = path.at(-1);
    if (last === undefined) throw new PatchError('failed', 'the whole document cannot be removed');
    const removed = this.#read(path);
    const parent = yield* this.#writable(path);
    if (Array.isArray(parent)) {
      const index = positionIn(parent, last, path);
      this.#splice(parent, index, () => parent.splice(index, 1));
    } else delete parent[last];
    return removed;
  }

  /** Sets an existing item, or a member of an object that need not exist (as in other servers of this API). */
  *replace(path: readonly string[], replacement: unknown): Work<void> {
    const last = path.at(-1);
    if (last === undefined) {
      this.root = replacement;
      return;
    }
    const parent = yield* this.#writable(path);
    if (Array.isArray(parent)) parent[positionIn(parent, last, path)] = replacement;
    else setField(parent, last, replacement);
  }

  *move(from: readonly string[], to: readonly string[]): Work<void> {
    const moved = this.#read(from);
    if (isPrefix(from, to)) {
      if (from.length === to.length) return;
      throw new PatchError('failed', `${show(from)} cannot be moved into itself`);
    }
    yield* this.remove(from);
    yield* this.add(to, moved);
  }

  *copy(from: readonly string[], to: readonly string[]): Work<void> {
    const left = this.#limits.maxCopiedBytes - this.#copiedBytes;
    try {
      const within = { maxDepth: this.#limits.maxDepth, maxBytes: left };
      const value = this.#find(from);
      const isLarge = this.#isLarge && hasManyParts(value);
      const { copy, bytes } = isLarge
        ? yield* cloneCountedInPieces(value, within)
        : cloneCounted(value, within);
      this.#copiedBytes += bytes;
      yield* this.add(to, copy);
    } catch (cause) {
      if (!(cause instanceof LimitReached)) throw cause;
      throw new PatchError(
        'tooLarge',
        `the patch copies more than ${this.#limits.maxCopiedBytes} bytes or ${this.#limits.maxDepth} levels`,
      );
    }
  }

  *test(path: readonly string[], expected: unknown): Work<void> {
    const [value, { maxDepth }] = [this.#find(path), this.#limits];
    const isLarge = this.#isLarge && hasManyParts(value);
    const isEqual = isLarge
      ? yield* jsonEqualInPieces(value, expected, maxDepth)
      : jsonEqual(value, expected, maxDepth);
    if (isEqual !== true) {
      throw new PatchError('testFailed', `test failed: ${show(path)} has another value`);
    }
  }

  #splice(list: readonly unknown[], index: number, change: () => void): void {
    this.#movedItems += list.length - index;
    const { maxMovedItems } = this.#limits;
    if (this.#movedItems > maxMovedItems)
      throw new PatchError('tooLarge', `the patch moves more than ${maxMovedItems} list items`);
    change();
  }

  #read(path: readonly string[]): unknown {
    let at = this.root;
    for (const token of path) at = childOf(at, token, path);
    return at;
  }

  /** The value at `path`, where an absent member of an object is null: so `test` and `copy` see it in this API. */
  #find(path: readonly string[]): unknown {
    const last = path.at(-1);
    if (last === undefined) return this.root;
    const parent = this.#read(path.slice(0, -1));
    if (isJsonObject(parent) && !Object.hasOwn(parent, last)) return null;
    return childOf(parent, last, path);
  }

  /** The container that holds the last token of `path`; it and its ancestors are this draft's own from here on. */
  *#writable(path: readonly string[]): Work<Container> {
    let parent = yield* this.#own(this.root, path);
    this.root = parent;
    for (const token of path.slice(0, -1)) {
      const child = yield* this.#own(childOf(parent, token, path), path);
      if (Array.isArray(parent)) parent[positionIn(parent, token, path)] = child;
      else setField(parent, token, child);
      parent = child;
    }
    return parent;
  }

  *#own(container: unknown, path: readonly string[]): Work<Container> {
    if (typeof container !== 'object' || container === null || isExactNumber(container)) throw missing(path);
    if (this.#owned.has(container)) return container as Container;
    const copy = yield* this.#copyOf(container as Container);
    this.#owned.add(copy);
    return copy;
  }

  *#copyOf(container: Container): Work<Container> {
    if (Array.isArray(container)) return [...container];
    if (this.#isLarge && hasManyParts(container)) return yield* copyFieldsInPieces(container);
    return { ...container };
  }
}

function positionIn(list: readonly unknown[], token: string, path: readonly string[]): number {
  const index = arrayIndex(token, list.length);
  if (index === undefined) throw missing(path);
  return index;
}

function childOf(container: unknown, token: string, path: readonly string[]): unknown {
  if (Array.isArray(container)) return container[positionIn(container, token, path)];
  if (!isJsonObject(container) || !Object.hasOwn(container, token)) throw missing(path);
  return container[token];
}

const missing = (path: readonly string[]): PatchError =>
  new PatchError('failed', `${show(path)} does not exist`);
