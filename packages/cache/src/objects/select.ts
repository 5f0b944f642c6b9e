import { compareKeys } from '@orch/storage';
import type { ObjectFilter, Scope } from '../types.ts';
import type { CompleteIndexes } from './complete-indexes.ts';
import type { LabelIndex, LabelledPart } from './label-index.ts';
import type { StoredObject } from './stored-object.ts';
import type { Tree } from './tree.ts';

export interface Selection {
  readonly objects: readonly StoredObject[];
  /** The key to continue after, when more objects match. */
  readonly next: string | undefined;
  /** Objects examined. */
  readonly fetched: number;
  /** The index used, as a label of the list metrics: the field, or `metadata.labels`; `''` for a scan. */
  readonly index: string;
  /** The label whose index was used. */
  readonly label?: string;
}

export interface SelectQuery {
  readonly scope: Scope;
  readonly filter: ObjectFilter;
  readonly after?: string;
  readonly limit?: number;
}

/** The objects of one state of a resource that match a query, in key order. `indexes` must belong to the same state. */
export function select(tree: Tree<StoredObject>, indexes: CompleteIndexes, query: SelectQuery): Selection {
  const found = candidates(tree, indexes, query);
  const want = (query.limit ?? Number.POSITIVE_INFINITY) + 1;
  let fetched = 0;
  let objects: StoredObject[];
  if (found.kind === 'scan' && query.filter.everything) {
    objects = tree.collect(found.prefix, query.after, want);
    fetched = objects.length;
  } else {
    objects = [];
    const matches = predicateOf(query.filter);
    visitAll(found, tree, query.after, (object) => {
      fetched++;
      if (matches(object)) objects.push(object);
      return objects.length < want;
    });
  }
  let next: string | undefined;
  if (objects.length === want) {
    objects.pop();
    next = objects.at(-1)?.key;
  }
  const read = { objects, next, fetched };
  if (found.kind === 'label') return { ...read, index: 'metadata.labels', label: found.index.label };
  return { ...read, index: found.kind === 'scan' ? '' : found.index };
}

/** Visits candidates in the order of their keys, until `visit` returns false. */
function visitAll(
  found: Candidates,
  tree: Tree<StoredObject>,
  after: string | undefined,
  visit: (object: StoredObject) => boolean,
): void {
  if (found.kind === 'scan') tree.scan(found.prefix, after, visit);
  else if (found.kind === 'label') found.index.scan(found.part, visit);
  else for (const object of found.objects) if (!visit(object)) return;
}

/** Number of objects of the scope after `key`. */
export function countAfter(tree: Tree<StoredObject>, scope: Scope, key: string): number {
  if (scope.exact !== undefined) return 0;
  return tree.rank(scope.prefix) + tree.count(scope.prefix) - tree.rank(key) - 1;
}

/**
 * The filter as a predicate that evaluates labels once per label set, not once per object. It must be used
 * synchronously: another predicate overwrites the cached outcomes.
 */
export function predicateOf(filter: ObjectFilter): (object: StoredObject) => boolean {
  if (filter.everything) return () => true;
  const mark = {};
  return (object) => {
    const { labels } = object;
    if (labels.mark !== mark) {
      labels.mark = mark;
      labels.marked = filter.matchesLabels(labels.labels);
    }
    return labels.marked && filter.matchesFields(object);
  };
}

type Candidates =
  | { readonly kind: 'scan'; readonly prefix: string }
  | LabelledObjects
  | { readonly kind: 'few'; readonly index: string; readonly objects: readonly StoredObject[] };

/** Objects of a label index. */
interface LabelledObjects {
  readonly kind: 'label';
  readonly index: LabelIndex;
  readonly part: LabelledPart;
}

/** Maximum number of objects of an index that are always sorted. */
const FEW = 64;
/** The cost of sorting one object relative to examining one in a scan. */
const SCAN_ADVANTAGE = 16;

/** The smallest set known to hold every match after `query.after`. */
function candidates(tree: Tree<StoredObject>, indexes: CompleteIndexes, query: SelectQuery): Candidates {
  const required = (field: string): string | undefined =>
    query.filter.fieldEquals.find((r) => r.field === field)?.value;
  const only = (key: string, index: string): Candidates => {
    const object = tree.get(key);
    return {
      kind: 'few',
      index,
      objects: object !== undefined && isAfter(object.key, query.after) ? [object] : [],
    };
  };
  const { scope } = query;
  if (scope.exact !== undefined) return only(scope.exact, '');
  const namespace = required('metadata.namespace');
  const prefix = scope.prefix === '' && namespace ? `${namespace}/` : scope.prefix;
  const name = required('metadata.name');
  if (name && prefix !== '') return only(`${prefix}${name}`, 'metadata.name');
  // The key of a cluster-scoped object is its name; keys of namespaced objects contain a slash.
  if (name && !tree.first()?.key.includes('/')) return only(name, 'metadata.name');
  for (const index of indexes.fields) {
    const value = required(index.field);
    if (value === undefined) continue;
    const count = index.count(value);
    // Sorting a large share of the objects costs more than scanning all of them in order.
    if (count > FEW && count * SCAN_ADVANTAGE > tree.size) continue;
    const objects = index.inOrder({ value, prefix, after: query.after });
    return { kind: 'few', index: index.field, objects };
  }
  return labelled(indexes.labels, query, prefix) ?? { kind: 'scan', prefix };
}

/** The smallest range of a label index that holds every match. */
function labelled(
  indexes: CompleteIndexes['labels'],
  { filter, after }: SelectQuery,
  prefix: string,
): LabelledObjects | undefined {
  if (indexes.size === 0) return undefined;
  let fewest = Number.POSITIVE_INFINITY;
  let found: LabelledObjects | undefined;
  for (const { label, value } of filter.labelEquals ?? []) {
    const index = indexes.get(label);
    if (index === undefined) continue;
    const part = index.find({ value, prefix, after });
    if (part.count >= fewest) continue;
    fewest = part.count;
    found = { kind: 'label', index, part };
  }
  return found;
}

function isAfter(key: string, after: string | undefined): boolean {
  return after === undefined || compareKeys(key, after) > 0;
}
