import { type Element, type FieldPath, fieldElement } from './element.ts';
import { sortedElements } from './element-order.ts';

type Children = ReadonlyMap<Element, FieldSet>;

const none: Children = new Map();

/**
 * An immutable set of field paths as a trie. A node has a flag for its own path (`self`) and its children;
 * empty nodes do not occur, so structurally equal tries are equal sets, and tries share their parts.
 */
export class FieldSet {
  readonly self: boolean;
  readonly children: Children;
  /** The node of a stored set in the encoding in which it would be written again. */
  readonly written: Readonly<Record<string, unknown>> | undefined;

  /** Use `nodeOf` unless the children are certainly not empty. */
  constructor(self: boolean, children: Children = none, written: FieldSet['written'] = undefined) {
    this.self = self;
    this.children = children;
    this.written = written;
  }

  get isEmpty(): boolean {
    return !this.self && this.children.size === 0;
  }

  /** Whether the set has paths below the node's own path. */
  get hasChildren(): boolean {
    return this.children.size > 0;
  }

  /** The subset at and below a step. */
  child(element: Element): FieldSet | undefined {
    return this.children.get(element);
  }

  /** The subset at and below a path; undefined when it is empty. */
  at(path: FieldPath): FieldSet | undefined {
    let node: FieldSet | undefined = this;
    for (const element of path) {
      node = node.children.get(element);
      if (node === undefined) return undefined;
    }
    return node;
  }

  /** True when the path itself is a field. */
  has(path: FieldPath): boolean {
    return this.at(path)?.self === true;
  }

  /** Reports whether the set contains the path or one of its ancestors. */
  covers(path: FieldPath): boolean {
    let node: FieldSet | undefined = this;
    for (const element of path) {
      if (node.self) return true;
      node = node.children.get(element);
      if (node === undefined) return false;
    }
    return node.self;
  }

  /** Number of paths that are fields. */
  get size(): number {
    let count = this.self ? 1 : 0;
    for (const child of this.children.values()) count += child.size;
    return count;
  }

  /** Every field, in order, a path before those below it. */
  *paths(prefix: FieldPath = []): Generator<FieldPath> {
    if (this.self) yield prefix;
    for (const element of sortedElements(this.children.keys())) {
      const child = this.children.get(element);
      if (child !== undefined) yield* child.paths([...prefix, element]);
    }
  }
}

/** The set of nothing. */
export const emptySet: FieldSet = new FieldSet(false);

/** A node whose own path is the only field. */
export const leaf: FieldSet = new FieldSet(true);

/** A node, or undefined when it would hold nothing. */
export function nodeOf(self: boolean, children: ReadonlyMap<Element, FieldSet>): FieldSet | undefined {
  if (children.size > 0) return new FieldSet(self, children);
  return self ? leaf : undefined;
}

/** The set that holds just one path. */
export const singlePath = (path: FieldPath): FieldSet =>
  path.reduceRight<FieldSet>((below, element) => new FieldSet(false, new Map([[element, below]])), leaf);

/** A set from the names of struct fields: `[['status'], ['metadata', 'labels']]`. */
export function setOfFields(paths: readonly (readonly string[])[]): FieldSet {
  const root = new Map<Element, FieldSet>();
  for (const path of paths) add(root, path.map(fieldElement));
  return new FieldSet(false, root);
}

function add(into: Map<Element, FieldSet>, path: FieldPath): void {
  const [first, ...rest] = path;
  if (first === undefined) return;
  const before = into.get(first);
  if (rest.length === 0) {
    into.set(first, new FieldSet(true, before?.children));
    return;
  }
  const below = new Map(before?.children);
  add(below, rest);
  into.set(first, new FieldSet(before?.self ?? false, below));
}
