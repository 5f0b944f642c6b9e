import { isJsonObject, type MutableJsonObject, setField } from '@orch/machinery/json';
import type { FieldSet } from '../fields/field-set.ts';
import { itemElement } from '../shape/list-items.ts';
import { fieldShape, type ListShape, type ObjectShape, ownsEntries, type Shape } from '../shape/shape.ts';
import { own } from '../values/own.ts';
import { asObjectShape, elementOfField, isGranularList, isGranularObject } from './fields.ts';
import { claims, prune } from './prune.ts';

/** A part before and after it was pruned. */
interface Pruned {
  readonly whole: unknown;
  readonly left: unknown;
  readonly shape: Shape;
  /** The fields that the manager had applied here. */
  readonly last: FieldSet | undefined;
  /** The fields that others own here in the same version. */
  readonly kept: FieldSet | undefined;
}

/**
 * Restores values that were pruned only as part of an enclosing value, when the manager had not applied them or others own
 * them: if owners in other versions keep the enclosing value, these are kept too. Pure.
 */
export function restoreDangling(pruned: Pruned): unknown {
  const { whole, left, shape } = pruned;
  if (whole === left) return left;
  if (isGranularObject(shape, whole) && isJsonObject(left)) {
    return danglingFields(whole, left, asObjectShape(shape), pruned);
  }
  if (isGranularList(shape, whole) && Array.isArray(left)) {
    return danglingItems(whole, left, shape as ListShape, pruned);
  }
  return left;
}

/** The part below one step; `left` undefined where it is missing. */
function restorePart(part: Pruned, isThing: boolean): unknown {
  const { whole, left, shape, last, kept } = part;
  if (left !== undefined) return restoreDangling(part);
  if (claims(last, isThing) && !claims(kept, isThing)) return undefined;
  return last === undefined ? whole : prune(whole, shape, last, kept);
}

function danglingFields(
  whole: MutableJsonObject,
  left: MutableJsonObject,
  shape: ObjectShape,
  { last, kept }: Pruned,
): MutableJsonObject {
  const result: MutableJsonObject = { ...left };
  for (const name of Object.keys(whole)) {
    const element = elementOfField(shape, name);
    const part: Pruned = {
      whole: whole[name],
      left: own(left, name),
      shape: fieldShape(shape, name),
      last: last?.child(element),
      kept: kept?.child(element),
    };
    const after = restorePart(part, ownsEntries(shape));
    if (after !== undefined) setField(result, name, after);
  }
  return result;
}

function danglingItems(
  whole: readonly unknown[],
  left: readonly unknown[],
  shape: ListShape,
  { last, kept }: Pruned,
): readonly unknown[] {
  const remaining = new Map(left.map((item, i) => [itemElement(shape, item, i), item]));
  const result: unknown[] = [];
  whole.forEach((item, index) => {
    const element = itemElement(shape, item, index);
    const before = remaining.get(element);
    remaining.delete(element);
    const sets = { last: last?.child(element), kept: kept?.child(element) };
    const after = restorePart({ whole: item, left: before, shape: shape.items, ...sets }, true);
    if (after !== undefined) result.push(after);
  });
  return [...result, ...remaining.values()];
}
