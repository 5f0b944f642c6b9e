import { Pace, type Work } from '@orch/machinery/concurrency';
import { hasManyParts, type MutableJsonObject } from '@orch/machinery/json';
import type { Element } from '../fields/element.ts';
import { emptySet, type FieldSet, leaf, nodeOf } from '../fields/field-set.ts';
import { equalSets } from '../fields/set-algebra.ts';
import { itemElement } from '../shape/list-items.ts';
import { fieldShape, type ListShape, type ObjectShape, ownsEntries, type Shape } from '../shape/shape.ts';
import { isEmptyContainer } from '../values/own.ts';
import { asObjectShape, elementOfField, isGranularList, isGranularObject } from './fields.ts';

/**
 * Collects the paths of a value. `everything` counts containers too; else those structs, maps and lists that only lead
 * to something do not count, while entries of maps and items of lists always do.
 */
class Collector {
  readonly #everything: boolean;

  constructor(everything: boolean) {
    this.#everything = everything;
  }

  node(value: unknown, shape: Shape, isThing: boolean): FieldSet | undefined {
    if (shape.kind === 'ignored') return undefined;
    const self = isThing || this.#everything;
    if (isGranularObject(shape, value)) {
      return isEmptyContainer(value) ? leaf : nodeOf(self, this.#fields(value, asObjectShape(shape)));
    }
    if (isGranularList(shape, value)) return nodeOf(self, this.#items(value, shape as ListShape));
    return leaf;
  }

  /** Like `node`, in pieces. */
  *nodeInPieces(value: unknown, shape: Shape, isThing: boolean): Work<FieldSet | undefined> {
    const self = isThing || this.#everything;
    if (shape.kind !== 'ignored' && hasManyParts(value)) {
      if (isGranularObject(shape, value))
        return nodeOf(self, yield* this.#fieldsInPieces(value, asObjectShape(shape)));
      if (isGranularList(shape, value))
        return nodeOf(self, yield* this.#itemsInPieces(value, shape as ListShape));
    }
    return this.node(value, shape, isThing);
  }

  *#fieldsInPieces(value: MutableJsonObject, shape: ObjectShape): Work<ReadonlyMap<Element, FieldSet>> {
    const pace = new Pace();
    const children = new Map<Element, FieldSet>();
    const isThing = ownsEntries(shape);
    for (const name of Object.keys(value)) {
      if (pace.isDue()) yield;
      const part = value[name];
      const below = fieldShape(shape, name);
      const isLarge = hasManyParts(part);
      const child = isLarge
        ? yield* this.nodeInPieces(part, below, isThing)
        : this.node(part, below, isThing);
      if (child !== undefined) children.set(elementOfField(shape, name), child);
    }
    return children;
  }

  *#itemsInPieces(value: readonly unknown[], shape: ListShape): Work<ReadonlyMap<Element, FieldSet>> {
    const pace = new Pace();
    const children = new Map<Element, FieldSet>();
    let before: FieldSet | undefined;
    for (const [index, item] of value.entries()) {
      if (pace.isDue()) yield;
      const isLarge = hasManyParts(item);
      const found = isLarge
        ? yield* this.nodeInPieces(item, shape.items, true)
        : this.node(item, shape.items, true);
      if (found === undefined) continue;
      const child: FieldSet = before !== undefined && equalSets(found, before) ? before : found;
      before = child;
      children.set(itemElement(shape, item, index), child);
    }
    return children;
  }

  #fields(value: MutableJsonObject, shape: ObjectShape): ReadonlyMap<Element, FieldSet> {
    const children = new Map<Element, FieldSet>();
    const isThing = ownsEntries(shape);
    for (const name of Object.keys(value)) {
      const child = this.node(value[name], fieldShape(shape, name), isThing);
      if (child !== undefined) children.set(elementOfField(shape, name), child);
    }
    return children;
  }

  #items(value: readonly unknown[], shape: ListShape): ReadonlyMap<Element, FieldSet> {
    const children = new Map<Element, FieldSet>();
    let before: FieldSet | undefined;
    value.forEach((item, index) => {
      const own = this.node(item, shape.items, true);
      if (own === undefined) return;
      // Items of one list mostly have the same fields: one set serves all of them, and is written once.
      const child: FieldSet = before !== undefined && equalSets(own, before) ? before : own;
      before = child;
      children.set(itemElement(shape, item, index), child);
    });
    return children;
  }
}

const configured = new Collector(false);
const allPaths = new Collector(true);

/** The fields that an applied configuration sets, which its manager will own. */
export const fieldsOf = (config: unknown, shape: Shape): FieldSet =>
  configured.node(config, shape, false) ?? emptySet;

/** Like `fieldsOf`, in pieces. */
export function* fieldsOfInPieces(config: unknown, shape: Shape): Work<FieldSet> {
  return (yield* configured.nodeInPieces(config, shape, false)) ?? emptySet;
}

/** Every path at and below a new value; undefined when none of them can be owned. */
export const everyPath = (value: unknown, shape: Shape): FieldSet | undefined =>
  allPaths.node(value, shape, true);

/** Like `everyPath`, in pieces. */
export const everyPathInPieces = (value: unknown, shape: Shape): Work<FieldSet | undefined> =>
  allPaths.nodeInPieces(value, shape, true);
