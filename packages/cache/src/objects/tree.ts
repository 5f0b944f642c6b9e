import { compareKeys } from '@orch/storage';
import { prefixEnd } from './keys.ts';

interface Keyed {
  readonly key: string;
}

/** Maximum number of items in a leaf, and of children in a branch. */
const MAX = 64;
/** A node with fewer entries is merged with a neighbour when both fit into one. */
const MIN = MAX / 4;

/** A leaf when `children` is absent. A node whose `owner` is not the tree's is shared and must be copied before a change. */
class Node<T extends Keyed> {
  owner: object;
  items: T[];
  children: Node<T>[] | undefined;
  /** Items in the whole subtree. */
  size: number;
  /** The first key of the subtree. */
  min: string;

  constructor(owner: object, items: T[], children: Node<T>[] | undefined) {
    this.owner = owner;
    this.items = items;
    this.children = children;
    this.size = 0;
    this.min = '';
    measure(this);
  }
}

/**
 * An ordered map from key to item, as a copy-on-write B+tree: `snapshot` is O(1), and a change after it copies only the
 * path to the leaf that it touches. Subtree sizes make `rank` and `count` logarithmic.
 */
export class Tree<T extends Keyed> {
  #root: Node<T>;
  #owner: object = {};

  private constructor(root: Node<T>) {
    this.#root = root;
  }

  static empty<T extends Keyed>(): Tree<T> {
    return new Tree<T>(new Node<T>({}, [], undefined));
  }

  get size(): number {
    return this.#root.size;
  }

  /** A tree with the same content; both may change afterwards without seeing each other's changes. */
  snapshot(): Tree<T> {
    // Both trees get new owners, so that the nodes they share are copied by the next change of either.
    this.#owner = {};
    return new Tree(this.#root);
  }

  get(key: string): T | undefined {
    let node = this.#root;
    while (node.children !== undefined) node = at(node.children, childIndex(node.children, key));
    const index = itemIndex(node.items, key);
    const item = node.items[index];
    return item !== undefined && item.key === key ? item : undefined;
  }

  /** Inserts or replaces; returns the previous item of the key. */
  set(item: T): T | undefined {
    const root = this.#own(this.#root);
    const previous = this.#insert(root, item);
    const right = splitOff(root, this.#owner, item.key);
    this.#root = right === undefined ? root : new Node<T>(this.#owner, [], [root, right]);
    return previous;
  }

  /** Removes; returns the item of the key. */
  delete(key: string): T | undefined {
    if (this.get(key) === undefined) return undefined;
    const root = this.#own(this.#root);
    const previous = this.#remove(root, key);
    this.#root = root.children?.length === 1 ? at(root.children, 0) : root;
    return previous;
  }

  /** Number of keys less than `key`. */
  rank(key: string): number {
    let node = this.#root;
    let before = 0;
    while (node.children !== undefined) {
      const index = childIndex(node.children, key);
      for (let i = 0; i < index; i++) before += at(node.children, i).size;
      node = at(node.children, index);
    }
    return before + itemIndex(node.items, key);
  }

  /** Number of keys that begin with `prefix`. */
  count(prefix = ''): number {
    const end = prefixEnd(prefix);
    return end === undefined ? this.size : this.rank(end) - this.rank(prefix);
  }

  first(): T | undefined {
    return this.collect('', undefined, 1)[0];
  }

  /**
   * At most `limit` items whose keys begin with `prefix` and, when `after` is given, are greater than it; in order.
   * Pass the last key as `after` for the next page.
   */
  collect(prefix: string, after: string | undefined, limit = Number.POSITIVE_INFINITY): T[] {
    const out: T[] = [];
    if (limit <= 0) return out;
    this.scan(prefix, after, (item) => {
      out.push(item);
      return out.length < limit;
    });
    return out;
  }

  /** Calls `visit` in key order until it returns false. The tree must not change meanwhile. */
  scan(prefix: string, after: string | undefined, visit: (item: T) => boolean): void {
    const exclusive = after !== undefined && compareKeys(after, prefix) >= 0;
    scanRange(this.#root, { from: exclusive ? after : prefix, exclusive, end: prefixEnd(prefix) }, visit);
  }

  #own(node: Node<T>): Node<T> {
    if (node.owner === this.#owner) return node;
    return new Node(this.#owner, node.items.slice(), node.children?.slice());
  }

  #insert(node: Node<T>, item: T): T | undefined {
    if (node.children === undefined) {
      const index = itemIndex(node.items, item.key);
      const there = node.items[index];
      if (there !== undefined && there.key === item.key) {
        node.items[index] = item;
        return there;
      }
      node.items.splice(index, 0, item);
      measure(node);
      return undefined;
    }
    const index = childIndex(node.children, item.key);
    const child = this.#own(at(node.children, index));
    node.children[index] = child;
    const previous = this.#insert(child, item);
    const right = splitOff(child, this.#owner, item.key);
    if (right !== undefined) node.children.splice(index + 1, 0, right);
    node.size += previous === undefined ? 1 : 0;
    node.min = at(node.children, 0).min;
    return previous;
  }

  /** Removes a key that must be present. */
  #remove(node: Node<T>, key: string): T | undefined {
    if (node.children === undefined) {
      const [removed] = node.items.splice(itemIndex(node.items, key), 1);
      measure(node);
      return removed;
    }
    const index = childIndex(node.children, key);
    const child = this.#own(at(node.children, index));
    node.children[index] = child;
    const removed = this.#remove(child, key);
    if (width(child) < MIN) this.#mergeAt(node.children, index);
    measure(node);
    return removed;
  }

  /** Merges a small child with a neighbour, or balances the two when one node cannot hold both. */
  #mergeAt(children: Node<T>[], index: number): void {
    const left = index > 0 ? index - 1 : 0;
    const a = children[left];
    const b = children[left + 1];
    if (a === undefined || b === undefined) return;
    const merged = new Node<T>(
      this.#owner,
      a.items.concat(b.items),
      a.children === undefined || b.children === undefined ? undefined : a.children.concat(b.children),
    );
    const right = width(merged) > MAX ? cutOff(merged, this.#owner, width(merged) >>> 1) : undefined;
    if (right === undefined) children.splice(left, 2, merged);
    else children.splice(left, 2, merged, right);
  }
}

function at<V>(list: readonly V[], index: number): V {
  const value = list[index];
  if (value === undefined) throw new RangeError(`no element at ${index} of ${list.length}`);
  return value;
}

function width<T extends Keyed>(node: Node<T>): number {
  return node.children === undefined ? node.items.length : node.children.length;
}

function measure<T extends Keyed>(node: Node<T>): void {
  if (node.children === undefined) {
    node.size = node.items.length;
    node.min = node.items[0]?.key ?? '';
    return;
  }
  let size = 0;
  for (const child of node.children) size += child.size;
  node.size = size;
  node.min = node.children[0]?.min ?? '';
}

/** Index of the last child whose first key is not greater than `key`; 0 when there is none. */
function childIndex<T extends Keyed>(children: readonly Node<T>[], key: string): number {
  let low = 1;
  let high = children.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(at(children, middle).min, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Index of the first item whose key is not less than `key`. */
function itemIndex<T extends Keyed>(items: readonly T[], key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(at(items, middle).key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Splits an overfull node and returns the right part. When the last key was just appended, the left part stays full, so
 * that loading in key order makes dense nodes.
 */
function splitOff<T extends Keyed>(node: Node<T>, owner: object, inserted: string): Node<T> | undefined {
  if (width(node) <= MAX) return undefined;
  const last = node.children === undefined ? node.items.at(-1)?.key : node.children.at(-1)?.min;
  const appended = last !== undefined && compareKeys(inserted, last) >= 0;
  // A branch keeps two children or more, so that a leaf always has a neighbour to be merged with.
  const full = node.children === undefined ? MAX : MAX - 1;
  return cutOff(node, owner, appended ? full : MAX / 2);
}

function cutOff<T extends Keyed>(node: Node<T>, owner: object, cut: number): Node<T> {
  const right =
    node.children === undefined
      ? new Node<T>(owner, node.items.splice(cut), undefined)
      : new Node<T>(owner, [], node.children.splice(cut));
  measure(node);
  return right;
}

interface Range {
  /** The least key, excluded when `exclusive`; undefined for everything up to `end`. */
  readonly from: string | undefined;
  readonly exclusive: boolean;
  /** The first key after the range. */
  readonly end: string | undefined;
}

/**
 * Visits the items of a range; false when the range or the visit has ended. Keys are compared at the ends of nodes, not
 * item by item: a scan of thousands of objects is bound by memory access, and each key compared is one more access.
 */
function scanRange<T extends Keyed>(node: Node<T>, range: Range, visit: (item: T) => boolean): boolean {
  if (node.children === undefined) return scanLeaf(node.items, range, visit);
  const { from, end } = range;
  let below = range;
  for (let i = from === undefined ? 0 : childIndex(node.children, from); i < node.children.length; i++) {
    const child = at(node.children, i);
    if (end !== undefined && compareKeys(child.min, end) >= 0) return false;
    if (!scanRange(child, below, visit)) return false;
    if (below.from !== undefined) below = { from: undefined, exclusive: false, end };
  }
  return true;
}

function scanLeaf<T extends Keyed>(
  items: readonly T[],
  { from, exclusive, end }: Range,
  visit: (item: T) => boolean,
): boolean {
  const last = items.at(-1);
  if (last === undefined) return true;
  let index = from === undefined ? 0 : itemIndex(items, from);
  if (exclusive && items[index]?.key === from) index += 1;
  const isWhole = end === undefined || compareKeys(last.key, end) < 0;
  const stop = isWhole ? items.length : itemIndex(items, end);
  for (; index < stop; index++) {
    if (!visit(at(items, index))) return false;
  }
  return isWhole;
}
