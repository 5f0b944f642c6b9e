import { compareKeys } from '@orch/storage';
import { itemIndex, type Keyed, prefixEnd } from './keys.ts';

/** Maximum number of items in a leaf, and of children in a branch. */
const MAX = 64;
/** A node with fewer entries is merged with a neighbour when both fit into one. */
const MIN = MAX / 4;

/** A key whose item is to be changed, and that item, when it is known. */
interface Sought<T> {
  readonly key: string;
  readonly before: T | undefined;
}

/** A leaf when `children` is absent. A node whose `owner` is not the tree's is shared and must be copied before a change. */
class Node<T extends Keyed> {
  owner: object;
  items: T[];
  children: Node<T>[] | undefined;
  /** Items in the whole subtree. */
  size: number;
  /** The first key of the subtree. */
  min: string;

  /** `measured` has the same entries. */
  constructor(owner: object, items: T[], children: Node<T>[] | undefined, measured?: Node<T>) {
    this.owner = owner;
    this.items = items;
    this.children = children;
    this.size = measured?.size ?? 0;
    this.min = measured?.min ?? '';
    if (measured === undefined) measure(this);
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
    return item?.hasKey(key) === true ? item : undefined;
  }

  /**
   * Inserts or replaces; returns the previous item of the key. `key` is the key of the item; `before` is the previous item, when it is
   * known.
   */
  set(item: T, key = item.key, before?: T): T | undefined {
    const root = this.#own(this.#root);
    const previous = this.#insert(root, item, { key, before });
    const right = splitOff(root, this.#owner, key);
    this.#root = right === undefined ? root : new Node<T>(this.#owner, [], [root, right]);
    return previous;
  }

  /** Removes; returns the item of the key. `before` is that item, when it is known. */
  delete(key: string, before = this.get(key)): T | undefined {
    if (before === undefined) return undefined;
    const root = this.#own(this.#root);
    const previous = this.#remove(root, { key, before });
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
    return new Node(this.#owner, node.items.slice(), node.children?.slice(), node);
  }

  #insert(node: Node<T>, item: T, sought: Sought<T>): T | undefined {
    const { key, before } = sought;
    if (node.children === undefined) {
      const index = soughtIndex(node.items, sought);
      const there = node.items[index];
      if (there !== undefined && (there === before || there.hasKey(key))) {
        node.items[index] = item;
        return there;
      }
      node.items.splice(index, 0, item);
      node.size = node.items.length;
      if (index === 0) node.min = item.key;
      return undefined;
    }
    const index = childIndex(node.children, key);
    const child = this.#own(at(node.children, index));
    node.children[index] = child;
    const previous = this.#insert(child, item, sought);
    const right = splitOff(child, this.#owner, key);
    if (right !== undefined) node.children.splice(index + 1, 0, right);
    node.size += previous === undefined ? 1 : 0;
    node.min = at(node.children, 0).min;
    return previous;
  }

  /** Removes a key that must be present. */
  #remove(node: Node<T>, sought: Sought<T>): T | undefined {
    if (node.children === undefined) {
      const index = soughtIndex(node.items, sought);
      const [removed] = node.items.splice(index, 1);
      node.size = node.items.length;
      if (index === 0) measure(node);
      return removed;
    }
    const index = childIndex(node.children, sought.key);
    const child = this.#own(at(node.children, index));
    node.children[index] = child;
    const removed = this.#remove(child, sought);
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

/** Index of a known item, found without its key, or of the first item whose key is not less than the one that is sought. */
function soughtIndex<T extends Keyed>(items: readonly T[], { key, before }: Sought<T>): number {
  const index = before === undefined ? -1 : items.indexOf(before);
  return index < 0 ? itemIndex(items, key) : index;
}

/**
 * Splits an overfull node and returns the right part. When the last key was just appended, the left part stays full, so
 * that loading in key order makes dense nodes.
 */
function splitOff<T extends Keyed>(node: Node<T>, owner: object, inserted: string): Node<T> | undefined {
  if (width(node) <= MAX) return undefined;
  const appended =
    node.children === undefined
      ? (node.items.at(-1)?.compareKey(inserted) ?? 1) <= 0
      : compareKeys(node.children.at(-1)?.min ?? '', inserted) <= 0;
  // A branch keeps two children or more, so that a leaf always has a neighbour to be merged with.
  const full = node.children === undefined ? MAX : MAX - 1;
  return cutOff(node, owner, appended ? full : MAX / 2);
}

function cutOff<T extends Keyed>(node: Node<T>, owner: object, cut: number): Node<T> {
  const right =
    node.children === undefined
      ? new Node<T>(owner, node.items.splice(cut), undefined)
      : new Node<T>(owner, [], node.children.splice(cut));
  // A copy has no spare capacity, which a leaf that was filled in key order does not need.
  if (node.children === undefined) node.items = node.items.slice();
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
  if (exclusive && from !== undefined && items[index]?.hasKey(from) === true) index += 1;
  const isWhole = end === undefined || last.compareKey(end) < 0;
  const stop = isWhole ? items.length : itemIndex(items, end);
  for (; index < stop; index++) {
    if (!visit(at(items, index))) return false;
  }
  return isWhole;
}
