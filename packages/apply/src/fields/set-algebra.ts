import type { Element } from './element.ts';
import { emptySet, FieldSet, leaf, nodeOf } from './field-set.ts';

type Node = FieldSet | undefined;
type Children = ReadonlyMap<Element, FieldSet>;

/** Fields of either set. Returns one of the arguments when it holds everything. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || b.isEmpty) return a;
  if (a.isEmpty) return b;
  const self = a.self || b.self;
  if (!b.hasChildren) return self === a.self ? a : new FieldSet(self, a.children);
  if (!a.hasChildren) return self === b.self ? b : new FieldSet(self, b.children);
  const children = unionOfChildren(a.children, b.children);
  if (children === a.children && self === a.self) return a;
  return new FieldSet(self, children);
}

function unionOfChildren(a: Children, b: Children): Children {
  let changed: Map<Element, FieldSet> | undefined;
  for (const [element, theirs] of b) {
    const ours = a.get(element);
    const both = ours === undefined ? theirs : union(ours, theirs);
    if (both === ours) continue;
    changed ??= new Map(a);
    changed.set(element, both);
  }
  return changed ?? a;
}

/** The children of `a` after `change` of those that `b` has too; `a`'s own when nothing changed. */
function changeShared(a: Children, b: Children, change: (a: FieldSet, b: FieldSet) => Node): Children {
  let changed: Map<Element, FieldSet> | undefined;
  const apply = (element: Element, ours: FieldSet, theirs: FieldSet): void => {
    const after = change(ours, theirs);
    if (after === ours) return;
    changed ??= new Map(a);
    if (after === undefined) changed.delete(element);
    else changed.set(element, after);
  };
  // Walks the smaller of the two: one changed field against a set of thousands is the common case.
  if (b.size <= a.size) {
    for (const [element, theirs] of b) {
      const ours = a.get(element);
      if (ours !== undefined) apply(element, ours, theirs);
    }
  } else {
    for (const [element, ours] of a) {
      const theirs = b.get(element);
      if (theirs !== undefined) apply(element, ours, theirs);
    }
  }
  return changed ?? a;
}

const rebuilt = (node: FieldSet, self: boolean, children: Children): Node =>
  self === node.self && children === node.children ? node : nodeOf(self, children);

function withoutFields(a: FieldSet, b: FieldSet): Node {
  if (a === b) return undefined;
  return rebuilt(a, a.self && !b.self, changeShared(a.children, b.children, withoutFields));
}

/** Fields of `a` that are not fields of `b`. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet => withoutFields(a, b) ?? emptySet;

function withoutSubtrees(a: FieldSet, b: FieldSet): Node {
  if (a === b || b.self) return undefined;
  return rebuilt(a, a.self, changeShared(a.children, b.children, withoutSubtrees));
}

/** Fields of `a` that are neither fields of `b` nor lie below one. */
export const recursiveDifference = (a: FieldSet, b: FieldSet): FieldSet => withoutSubtrees(a, b) ?? emptySet;

function common(a: FieldSet, b: FieldSet): Node {
  if (a === b) return a;
  const [small, large] = a.children.size <= b.children.size ? [a, b] : [b, a];
  const children = new Map<Element, FieldSet>();
  for (const [element, below] of small.children) {
    const other = large.children.get(element);
    const both = other === undefined ? undefined : common(below, other);
    if (both !== undefined) children.set(element, both);
  }
  return nodeOf(a.self && b.self, children);
}

/** Fields of both sets. */
export const intersection = (a: FieldSet, b: FieldSet): FieldSet => common(a, b) ?? emptySet;

/** True when both sets have the same fields. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.self !== b.self || a.children.size !== b.children.size) return false;
  for (const [element, below] of a.children) {
    const other = b.children.get(element);
    if (other === undefined || !equalSets(below, other)) return false;
  }
  return true;
}

/** True when every field of `part` is a field of `whole`. */
export function containsAll(whole: FieldSet, part: FieldSet): boolean {
  if (whole === part) return true;
  if (part.self && !whole.self) return false;
  for (const [element, below] of part.children) {
    const above = whole.children.get(element);
    if (above === undefined || !containsAll(above, below)) return false;
  }
  return true;
}

function onlyLeaves(node: FieldSet): FieldSet {
  if (!node.hasChildren) return node.self ? leaf : emptySet;
  return new FieldSet(
    false,
    new Map([...node.children].map(([element, below]) => [element, onlyLeaves(below)])),
  );
}

/** Fields without fields below them. */
export const leaves = (set: FieldSet): FieldSet => onlyLeaves(set);
