import { Pace, type Work } from '@orch/machinery/concurrency';
import { hasManyParts } from '@orch/machinery/json';
import type { Element } from '../fields/element.ts';
import { elementName } from '../fields/element.ts';
import { emptySet, type FieldSet, leaf, nodeOf } from '../fields/field-set.ts';
import { itemElement } from '../shape/list-items.ts';
import { fieldShape, isWhole, type ListShape, type Shape } from '../shape/shape.ts';
import { own } from '../values/own.ts';
import { asObjectShape, isGranularList, isGranularObject } from './fields.ts';

type Lookup = (element: Element) => readonly [value: unknown, shape: Shape] | undefined;

function lookupOf(value: unknown, shape: Shape): Lookup | undefined {
  if (isGranularObject(shape, value)) {
    const object = asObjectShape(shape);
    return (element) => {
      const name = elementName(element);
      return name !== undefined && Object.hasOwn(value, name)
        ? [own(value, name), fieldShape(object, name)]
        : undefined;
    };
  }
  if (!isGranularList(shape, value)) return undefined;
  const list = shape as ListShape;
  const items = new Map(value.map((item, i) => [itemElement(list, item, i), item]));
  return (element) => (items.has(element) ? [items.get(element), list.items] : undefined);
}

function existing(node: FieldSet, value: unknown, shape: Shape): FieldSet | undefined {
  if (shape.kind === 'ignored') return undefined;
  const lookup = node.hasChildren ? lookupOf(value, shape) : undefined;
  if (lookup === undefined) return node.self ? leaf : undefined;
  const children = new Map<Element, FieldSet>();
  for (const [element, below] of node.children) {
    const found = lookup(element);
    const left = found === undefined ? undefined : existing(below, ...found);
    if (left !== undefined) children.set(element, left);
  }
  return nodeOf(node.self, children);
}

/** The fields of a set whose paths exist in a value. */
export const existingOnly = (set: FieldSet, value: unknown, shape: Shape): FieldSet =>
  existing(set, value, shape) ?? emptySet;

/** Children of a node that are looked up at once. */
const FEW = 512;

/** Like `lookupOf`, in pieces. */
function* findingLookup(value: unknown, shape: Shape, pace: Pace): Work<Lookup | undefined> {
  if (!isGranularList(shape, value)) return lookupOf(value, shape);
  const list = shape as ListShape;
  const items = new Map<Element, unknown>();
  for (const [i, item] of value.entries()) {
    if (pace.isDue()) yield;
    items.set(itemElement(list, item, i), item);
  }
  return (element) => (items.has(element) ? [items.get(element), list.items] : undefined);
}

/** Like `existing`, in pieces. */
function* existingInPieces(
  node: FieldSet,
  [value, shape]: readonly [value: unknown, shape: Shape],
  pace: Pace,
): Work<FieldSet | undefined> {
  const isSmall = node.children.size < FEW && !hasManyParts(value);
  if (isSmall || shape.kind === 'ignored' || !node.hasChildren) return existing(node, value, shape);
  const lookup = yield* findingLookup(value, shape, pace);
  if (lookup === undefined) return node.self ? leaf : undefined;
  const children = new Map<Element, FieldSet>();
  for (const [element, below] of node.children) {
    if (pace.isDue()) yield;
    const found = lookup(element);
    const left = found === undefined ? undefined : yield* existingInPieces(below, found, pace);
    if (left !== undefined) children.set(element, left);
  }
  return nodeOf(node.self, children);
}

/** Like `existingOnly`, in pieces. */
export function* findingExisting(set: FieldSet, value: unknown, shape: Shape): Work<FieldSet> {
  return (yield* existingInPieces(set, [value, shape], new Pace())) ?? emptySet;
}

function conformed(node: FieldSet, shape: Shape): FieldSet | undefined {
  if (shape.kind === 'ignored') return undefined;
  if (!node.hasChildren || shape.kind === 'free') return node;
  if (isWhole(shape)) return leaf;
  let children: Map<Element, FieldSet> | undefined;
  for (const [element, below] of node.children) {
    const inner = partShape(shape, element);
    const after = inner === undefined ? below : conformed(below, inner);
    if (after === below) continue;
    children ??= new Map(node.children);
    if (after === undefined) children.delete(element);
    else children.set(element, after);
  }
  return children === undefined ? node : nodeOf(node.self, children);
}

function partShape(shape: Shape, element: Element): Shape | undefined {
  const name = elementName(element);
  if (shape.kind === 'list') return name === undefined ? shape.items : undefined;
  return name === undefined ? undefined : fieldShape(asObjectShape(shape), name);
}

/**
 * Aligns a set with a schema that may have changed since it was written (spec 4.9 rule 8): fields that are atomic now
 * belong to the managers that owned any part of them, and the parts of fields that became granular have no owner.
 * Fields that only the server writes have no owner.
 */
export const conform = (set: FieldSet, shape: Shape): FieldSet => conformed(set, shape) ?? emptySet;
