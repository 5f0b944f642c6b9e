import { Pace, type Work } from '@orch/machinery/concurrency';
import { hasManyParts, type MutableJsonObject } from '@orch/machinery/json';
import type { Element } from '../fields/element.ts';
import { itemElement, sameIdentity } from '../shape/list-items.ts';
import { fieldShape, isWhole, type ListShape, type ObjectShape, type Shape } from '../shape/shape.ts';
import { own } from '../values/own.ts';
import { addedHere, type Change, ChangeBuilder, removedHere } from './change.ts';
import { everyPath, everyPathInPieces } from './collect.ts';
import { compare, compareField, compareSameItems, isUndeclared } from './compare.ts';
import { asObjectShape, declaredField, elementOfField, isGranularList, isGranularObject } from './fields.ts';

/** Like `compare`, in pieces: the fields and items of large values. */
export function* compareInPieces(before: unknown, after: unknown, shape: Shape): Work<Change | undefined> {
  const isDivided = before !== after && shape.kind !== 'ignored' && !isWhole(shape) && hasManyParts(after);
  if (!isDivided) return compare(before, after, shape);
  if (isGranularList(shape, after)) {
    const was = isGranularList(shape, before) ? before : [];
    return yield* compareLists(was, after, shape as ListShape);
  }
  if (isGranularObject(shape, before) && isGranularObject(shape, after))
    return yield* compareObjects(before, after, asObjectShape(shape));
  return compare(before, after, shape);
}

function* compareObjects(
  before: MutableJsonObject,
  after: MutableJsonObject,
  shape: ObjectShape,
): Work<Change | undefined> {
  const pace = new Pace();
  const changes = new ChangeBuilder();
  let shared = 0;
  for (const name of Object.keys(before)) {
    if (pace.isDue()) yield;
    const [was, is] = [before[name], own(after, name)];
    if (is !== undefined) shared++;
    if (was === is) continue;
    const isLarge = hasManyParts(is);
    const change = isLarge
      ? yield* compareLargeField(was, is, shape, name)
      : compareField(was, is, shape, name);
    if (change !== undefined) changes.add(elementOfField(shape, name), change);
  }
  yield;
  const names = Object.keys(after);
  for (const name of shared === names.length ? [] : names) {
    if (pace.isDue()) yield;
    if (Object.hasOwn(before, name)) continue;
    const is = after[name];
    const isLarge = hasManyParts(is);
    const change = isLarge
      ? yield* compareLargeField(undefined, is, shape, name)
      : compareField(undefined, is, shape, name);
    if (change !== undefined) changes.add(elementOfField(shape, name), change);
  }
  yield;
  return changes.build();
}

/** Like `compareField`, of a value with many parts: it is neither unset nor one that is dropped. */
function* compareLargeField(
  before: unknown,
  after: unknown,
  shape: ObjectShape,
  name: string,
): Work<Change | undefined> {
  const field = declaredField(shape, name);
  const below = field?.shape ?? fieldShape(shape, name);
  if (before !== undefined) return yield* compareInPieces(before, after, below);
  if (below.kind === 'ignored' || isUndeclared(field, shape)) return undefined;
  const added = yield* everyPathInPieces(after, below);
  return added === undefined ? undefined : addedHere(added);
}

type List = readonly unknown[];

function* compareLists(before: List, after: List, shape: ListShape): Work<Change | undefined> {
  const changes = new ChangeBuilder();
  if (yield* comparePlaces(before, after, shape, changes)) return changes.build();
  return yield* compareByIdentity(before, after, shape);
}

/** Compares items place by place; false when an item has moved, come or gone. */
function* comparePlaces(before: List, after: List, shape: ListShape, changes: ChangeBuilder): Work<boolean> {
  if (before.length !== after.length) return false;
  const pace = new Pace();
  for (const [i, is] of after.entries()) {
    if (pace.isDue()) yield;
    const was = before[i];
    if (was === is) continue;
    if (!sameIdentity(shape, was, is)) return false;
    const isLarge = hasManyParts(is);
    const change = isLarge ? yield* compareInPieces(was, is, shape.items) : compare(was, is, shape.items);
    if (change !== undefined) changes.add(itemElement(shape, was, i), change);
  }
  return true;
}

function* byIdentity(list: List, shape: ListShape): Work<ReadonlyMap<Element, List>> {
  const pace = new Pace();
  const found = new Map<Element, unknown[]>();
  for (const [index, item] of list.entries()) {
    if (pace.isDue()) yield;
    const element = itemElement(shape, item, index);
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}

function* compareByIdentity(before: List, after: List, shape: ListShape): Work<Change | undefined> {
  const pace = new Pace();
  const changes = new ChangeBuilder();
  const was = yield* byIdentity(before, shape);
  const is = yield* byIdentity(after, shape);
  for (const [element, items] of was) {
    if (pace.isDue()) yield;
    const now = is.get(element);
    const change = now === undefined ? removedHere : yield* compareItems(items, now, shape);
    if (change !== undefined) changes.add(element, change);
  }
  for (const [element, [item]] of is) {
    if (pace.isDue()) yield;
    if (was.has(element)) continue;
    const isLarge = hasManyParts(item);
    const added = isLarge ? yield* everyPathInPieces(item, shape.items) : everyPath(item, shape.items);
    if (added !== undefined) changes.add(element, addedHere(added));
  }
  return changes.build();
}

function* compareItems(before: List, after: List, shape: ListShape): Work<Change | undefined> {
  const isOne = before.length === 1 && after.length === 1;
  return isOne
    ? yield* compareInPieces(before[0], after[0], shape.items)
    : compareSameItems(before, after, shape);
}
