import { jsonEquals, type MutableJsonObject } from '@orch/machinery/json';
import type { Element } from '../fields/element.ts';
import { itemElement, sameIdentity } from '../shape/list-items.ts';
import {
  type FieldShape,
  fieldShape,
  isWhole,
  type ListShape,
  type ObjectShape,
  type Shape,
} from '../shape/shape.ts';
import { own } from '../values/own.ts';
import { addedHere, type Change, ChangeBuilder, modifiedHere, removedHere } from './change.ts';
import { everyPath } from './collect.ts';
import {
  asObjectShape,
  declaredField,
  elementOfField,
  isGranularList,
  isGranularObject,
  isUnset,
} from './fields.ts';

const noFields: MutableJsonObject = {};

/**
 * The fields that `after` sets and removes compared with `before`; undefined when they are equivalent. Values that are
 * stored alike count as the same: an absent field and its zero, `1000m` and `1`. The order of lists whose items have
 * an identity does not matter. Parts that both share cost nothing. /
 */
export function compare(before: unknown, after: unknown, shape: Shape): Change | undefined {
  if (before === after || shape.kind === 'ignored') return undefined;
  if (isWhole(shape)) return sameWhole(before, after, shape) ? undefined : modifiedHere;
  const wasList = isGranularList(shape, before);
  const isList = isGranularList(shape, after);
  if (wasList || isList) {
    if (wasList && isList) return compareLists(before, after, shape as ListShape);
    return compareLists(wasList ? before : [], isList ? after : [], shape as ListShape);
  }
  const wasObject = isGranularObject(shape, before);
  const isObject = isGranularObject(shape, after);
  if (!wasObject && !isObject) return jsonEquals(before, after) ? undefined : modifiedHere;
  return compareObjects(
    wasObject ? before : noFields,
    isObject ? after : noFields,
    asObjectShape(shape),
    (!wasObject && before !== null) || (!isObject && after !== null),
  );
}

function sameWhole(before: unknown, after: unknown, shape: Shape): boolean {
  return shape.kind === 'scalar' ? shape.same(before, after) : jsonEquals(before, after);
}

/** `otherKind`: one of the two was not an object but something else, so that the place itself has another value. */
function compareObjects(
  before: MutableJsonObject,
  after: MutableJsonObject,
  shape: ObjectShape,
  otherKind: boolean,
): Change | undefined {
  const changes = new ChangeBuilder();
  // Usually both have the same fields, and the first pass compares them all.
  let unseen = 0;
  for (const _name in after) unseen++;
  for (const name in before) {
    const was = before[name];
    const now = own(after, name);
    if (now !== undefined) unseen--;
    if (was === now) continue;
    const change = compareField(was, now, shape, name);
    if (change !== undefined) changes.add(elementOfField(shape, name), change);
  }
  if (unseen > 0) addNewFields(changes, before, after, shape);
  const change = changes.build();
  if (!otherKind) return change;
  return change === undefined ? modifiedHere : { ...change, modified: modifiedHere.modified };
}

/** Adds the fields that only `after` has. */
function addNewFields(
  changes: ChangeBuilder,
  before: MutableJsonObject,
  after: MutableJsonObject,
  shape: ObjectShape,
): void {
  for (const name in after) {
    if (Object.hasOwn(before, name)) continue;
    const change = compareField(undefined, after[name], shape, name);
    if (change !== undefined) changes.add(elementOfField(shape, name), change);
  }
}

/** Reports whether a struct lacks a field. */
export const isUndeclared = (field: FieldShape | undefined, shape: ObjectShape): boolean =>
  field === undefined && shape.kind === 'struct' && shape.rest === undefined;

/** Like `compare`, of a field; undefined where an object does not have it. */
export function compareField(
  before: unknown,
  after: unknown,
  shape: ObjectShape,
  name: string,
): Change | undefined {
  const field = declaredField(shape, name);
  const below = field?.shape ?? fieldShape(shape, name);
  if (before !== undefined && after !== undefined) {
    if (field?.dropsZero === true && isUnset(field, after)) {
      if (isUnset(field, before)) return undefined;
      // Maps and lists that have become empty are not stored, so they no longer have an owner.
      if (!isWhole(below)) return removedHere;
    }
    return compare(before, after, below);
  }
  if (below.kind === 'ignored') return undefined;
  if (before === undefined) {
    // Fields that the release does not have are removed before the object is stored.
    if (isUnset(field, after) || isUndeclared(field, shape)) return undefined;
    const added = everyPath(after, below);
    return added === undefined ? undefined : addedHere(added);
  }
  return isUnset(field, before) ? undefined : removedHere;
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  shape: ListShape,
): Change | undefined {
  const changes = new ChangeBuilder();
  // Items mostly stay where they are: their identities are written out only where something differs.
  if (!comparePlaces(before, after, shape, changes)) return compareByIdentity(before, after, shape);
  return changes.build();
}

/** Compares items place by place; false when an item has moved, come or gone. */
function comparePlaces(
  before: readonly unknown[],
  after: readonly unknown[],
  shape: ListShape,
  changes: ChangeBuilder,
): boolean {
  if (before.length !== after.length) return false;
  for (let i = 0; i < before.length; i++) {
    const [was, is] = [before[i], after[i]];
    if (was === is) continue;
    if (!sameIdentity(shape, was, is)) return false;
    const change = compare(was, is, shape.items);
    if (change !== undefined) changes.add(itemElement(shape, was, i), change);
  }
  return true;
}

/** Items by identity. Stored lists may repeat one, though applied ones may not: such items are compared as one. */
function byIdentity(list: readonly unknown[], shape: ListShape): Map<Element, unknown[]> {
  const found = new Map<Element, unknown[]>();
  list.forEach((item, index) => {
    const element = itemElement(shape, item, index);
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  });
  return found;
}

function compareByIdentity(
  before: readonly unknown[],
  after: readonly unknown[],
  shape: ListShape,
): Change | undefined {
  const changes = new ChangeBuilder();
  const was = byIdentity(before, shape);
  const is = byIdentity(after, shape);
  for (const [element, items] of was) {
    const now = is.get(element);
    const change = now === undefined ? removedHere : compareSameItems(items, now, shape);
    if (change !== undefined) changes.add(element, change);
  }
  for (const [element, items] of is) {
    const added = was.has(element) ? undefined : everyPath(items[0], shape.items);
    if (added !== undefined) changes.add(element, addedHere(added));
  }
  return changes.build();
}

/** Compares items with the same identity: mostly one on each side. */
export function compareSameItems(
  before: readonly unknown[],
  after: readonly unknown[],
  shape: ListShape,
): Change | undefined {
  if (before.length === 1 && after.length === 1) return compare(before[0], after[0], shape.items);
  return jsonEquals(before, after) ? undefined : modifiedHere;
}
