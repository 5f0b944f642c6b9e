import { compareKeys, type Revision, type Store } from '@orch/storage';
import { memoised } from '../objects/select.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import type { ListPage, ListQuery } from '../types.ts';
import type { ResourceState } from './resource-state.ts';
import { rangeAfter, rangeOf, storePages } from './store-pages.ts';

/** Objects scanned per request to the store when a filter leaves out most of them. */
const FILTERED_PAGE = 500;

/**
 * A page of a state that only the store remembers. Its objects are read on the fly and belong to the caller alone.
 * Rejects with the store's errors: `compacted` when nobody has the revision.
 */
export async function listFromStore(
  source: { readonly store: Store; readonly state: ResourceState; readonly byteBudget: number },
  query: ListQuery & { readonly at: Revision },
  signal: AbortSignal,
): Promise<ListPage> {
  const { store, state, byteBudget } = source;
  const { scope, filter, after, at } = query;
  const { prefix } = state.resource;
  const want = query.limit ?? Number.POSITIVE_INFINITY;
  const test = memoised(filter);
  const objects: StoredObject[] = [];
  const scopeRange = rangeAfter(`${prefix}${scope.prefix}`, undefined);
  const range = scope.exact === undefined ? scopeRange : rangeOf(`${prefix}${scope.exact}`);
  const from = after === undefined ? range.start : rangeAfter(prefix, `${prefix}${after}`).start;
  const start = compareKeys(from, range.start) > 0 ? from : range.start;
  const limit = filter.everything ? Math.min(want, 10 * FILTERED_PAGE) : FILTERED_PAGE;
  for await (const page of storePages(store, { start, end: range.end }, { at, limit, byteBudget }, signal)) {
    for (const [index, kv] of page.items.entries()) {
      const object = state.loose(kv);
      if (!test(object)) continue;
      objects.push(object);
      const left = page.items.length - index - 1 + page.remaining;
      if (objects.length < want || left === 0) continue;
      return { rev: at, objects, next: object.key, ...(filter.everything ? { remaining: left } : {}) };
    }
  }
  return { rev: at, objects };
}
