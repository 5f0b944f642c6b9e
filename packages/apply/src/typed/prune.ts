import { isJsonObject, type MutableJsonObject, setField } from '@orch/machinery/json';
import { elementName } from '../fields/element.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { itemElement } from '../shape/list-items.ts';
import { fieldShape, type ListShape, type ObjectShape, ownsEntries, type Shape } from '../shape/shape.ts';
import { isEmptyContainer, own } from '../values/own.ts';
import { asObjectShape, declaredField, isGranularList, isGranularObject } from './fields.ts';

/**
 * Reports whether an owner with this set at a place keeps the value there. Entries of maps and items of lists are kept by those
 * who own them; fields of a struct also by those who own anything below.
 */
export const claims = (node: FieldSet | undefined, isThing: boolean): boolean =>
  node !== undefined && (node.self || (!isThing && node.hasChildren));

/** Reports whether a part without owners is removed with all of its content, or only the paths that were owned. */
function goesWhole(value: unknown, shape: Shape, isThing: boolean): boolean {
  if (isThing || shape.kind === 'struct') return true;
  return !isGranularObject(shape, value) && !isGranularList(shape, value);
}

/**
 * Removes fields that a manager had applied (`dropped`) and no manager owns now (`kept`). A struct that loses its last
 * owner is removed with the defaults in it; of maps and lists only the owned entries and items are removed. Pure;
 * returns `value` itself when nothing is removed.
 */
export function prune(value: unknown, shape: Shape, dropped: FieldSet, kept: FieldSet | undefined): unknown {
  if (!dropped.hasChildren) return value;
  if (isGranularObject(shape, value)) return pruneObject(value, asObjectShape(shape), dropped, kept);
  if (isGranularList(shape, value)) return pruneList(value, shape as ListShape, dropped, kept);
  return value;
}

function pruneObject(
  value: MutableJsonObject,
  shape: ObjectShape,
  dropped: FieldSet,
  kept: FieldSet | undefined,
): MutableJsonObject {
  let left: MutableJsonObject | undefined;
  const isThing = ownsEntries(shape);
  for (const [element, below] of dropped.children) {
    const name = elementName(element);
    const before = name === undefined ? undefined : own(value, name);
    if (name === undefined || before === undefined) continue;
    const part = { name, isThing, dropped: below, kept: kept?.child(element) };
    const after = prunePart(before, shape, part);
    if (after === before) continue;
    left ??= { ...value };
    if (after === undefined) delete left[name];
    else setField(left, name, after);
  }
  return left ?? value;
}

interface Part {
  readonly name: string;
  readonly isThing: boolean;
  readonly dropped: FieldSet;
  readonly kept: FieldSet | undefined;
}

function prunePart(before: unknown, parent: ObjectShape, part: Part): unknown {
  const shape = fieldShape(parent, part.name);
  if (shape.kind === 'ignored') return before;
  const gone = claims(part.dropped, part.isThing) && !claims(part.kept, part.isThing);
  if (!gone) return prune(before, shape, part.dropped, part.kept);
  const permanent = declaredField(parent, part.name)?.permanent === true;
  if (!permanent && goesWhole(before, shape, part.isThing)) return undefined;
  const after = prune(before, shape, part.dropped, part.kept);
  return !permanent && isEmptyContainer(after) ? undefined : after;
}

function pruneList(
  value: readonly unknown[],
  shape: ListShape,
  dropped: FieldSet,
  kept: FieldSet | undefined,
): readonly unknown[] {
  const left: unknown[] = [];
  let changed = false;
  value.forEach((item, index) => {
    const element = itemElement(shape, item, index);
    const mine = dropped.child(element);
    const others = kept?.child(element);
    if (claims(mine, true) && !claims(others, true)) {
      changed = true;
      return;
    }
    const after = mine === undefined ? item : withKeys(prune(item, shape.items, mine, others), item, shape);
    changed ||= after !== item;
    left.push(after);
  });
  return changed ? left : value;
}

/** An item that remains keeps the keys that identify it, independent of their owner. */
function withKeys(after: unknown, before: unknown, shape: ListShape): unknown {
  if (after === before || !isJsonObject(after) || !isJsonObject(before)) return after;
  const lost = shape.keys.filter(({ name }) => Object.hasOwn(before, name) && !Object.hasOwn(after, name));
  if (lost.length === 0) return after;
  const whole = { ...after };
  for (const { name } of lost) setField(whole, name, before[name]);
  return whole;
}
