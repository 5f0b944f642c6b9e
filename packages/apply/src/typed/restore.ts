import { isJsonObject, type MutableJsonObject, setField } from '@orch/machinery/json';
import type { FieldSet } from '../fields/field-set.ts';
import { itemElement } from '../shape/list-items.ts';
import { fieldShape, type ListShape, type ObjectShape, ownsEntries, type Shape } from '../shape/shape.ts';
import { own } from '../values/own.ts';
import { asObjectShape, elementOfField, isGranularList, isGranularObject } from './fields.ts';
import { claims } from './prune.ts';

/** The restored part at one place. */
interface Restored {
  /** The value before anything was taken away; there is one. */
  readonly whole: unknown;
  /** The remaining value; undefined when it was removed. */
  readonly left: unknown;
  readonly shape: Shape;
  readonly owned: FieldSet | undefined;
}

/**
 * Restores owned parts of a pruned value: `whole` is the value before. Needed for owners in another version than the one
 * in which the object was pruned. Pure.
 */
export function restoreOwned(restored: Restored): unknown {
  const { whole, left, shape, owned } = restored;
  if (left === whole || owned === undefined) return left;
  // A value that is owned as a whole is restored: pruning in a version that writes zeros may have left one in its place.
  if (owned.self && !isGranularObject(shape, whole) && !isGranularList(shape, whole)) return whole;
  if (left !== undefined && !owned.hasChildren) return left;
  if (isGranularObject(shape, whole)) {
    return restoreObject(whole, isJsonObject(left) ? left : {}, asObjectShape(shape), owned);
  }
  if (isGranularList(shape, whole)) {
    return restoreList(whole, Array.isArray(left) ? left : [], shape as ListShape, owned);
  }
  return left ?? whole;
}

function restoreObject(
  whole: MutableJsonObject,
  left: MutableJsonObject,
  shape: ObjectShape,
  owned: FieldSet,
): MutableJsonObject {
  const result: MutableJsonObject = { ...left };
  const isThing = ownsEntries(shape);
  for (const name of Object.keys(whole)) {
    const below = owned.child(elementOfField(shape, name));
    const before = own(left, name);
    if (before === undefined && !claims(below, isThing)) continue;
    const part = { whole: whole[name], left: before, shape: fieldShape(shape, name), owned: below };
    const after = restoreOwned(part);
    if (after !== undefined) setField(result, name, after);
  }
  return result;
}

function restoreList(
  whole: readonly unknown[],
  left: readonly unknown[],
  shape: ListShape,
  owned: FieldSet,
): readonly unknown[] {
  const remaining = new Map(left.map((item, i) => [itemElement(shape, item, i), item]));
  const result: unknown[] = [];
  whole.forEach((item, index) => {
    const element = itemElement(shape, item, index);
    const below = owned.child(element);
    const before = remaining.get(element);
    remaining.delete(element);
    if (before === undefined && !claims(below, true)) return;
    const after = restoreOwned({ whole: item, left: before, shape: shape.items, owned: below });
    result.push(before === undefined ? keysOf(item, after, shape) : after);
  });
  // Items that pruning in another version put under another identity stay at the end.
  return [...result, ...remaining.values()];
}

/** An item that is restored in part has at least its keys. */
function keysOf(item: unknown, after: unknown, shape: ListShape): unknown {
  if (!isJsonObject(item) || !isJsonObject(after)) return after;
  const keyed: MutableJsonObject = {};
  for (const { name } of shape.keys) if (Object.hasOwn(item, name)) setField(keyed, name, item[name]);
  return { ...keyed, ...after };
}
