import { compareKeys, type Revision, type Store } from '@orch/storage';
import { rangeAfter, rangeOf } from '../objects/keys.ts';
import { predicateOf } from '../objects/select.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { UnreadableObjectsError } from '../objects/unreadable-objects-error.ts';
import type { ListPage, ListQuery, UnreadableObject } from '../types.ts';
import type { ResourceState } from './resource-state.ts';
import { storePages } from './store-pages.ts';

/** Maximum number of objects of a list that are reported as unreadable. */
const MOST_NOTED = 1000;

/** Objects read per request to the store when the query has a filter. */
const FILTERED_PAGE = 500;

/**
 * A page of an old state that only the store still has. Its objects are not part of the cache. Rejects with the store's
 * errors: `compacted` when the revision was compacted.
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
  const matches = predicateOf(filter);
  const objects: StoredObject[] = [];
  const scopeRange = rangeAfter(`${prefix}${scope.prefix}`, undefined);
  const range = scope.exact === undefined ? scopeRange : rangeOf(`${prefix}${scope.exact}`);
  const from = after === undefined ? range.start : rangeAfter(prefix, `${prefix}${after}`).start;
  const start = compareKeys(from, range.start) > 0 ? from : range.start;
  const limit = filter.everything ? Math.min(want, 10 * FILTERED_PAGE) : FILTERED_PAGE;
  const unreadable: UnreadableObject[] = [];
  for await (const page of storePages(store, { start, end: range.end }, { at, limit, byteBudget }, signal)) {
    for (const [index, kv] of page.items.entries()) {
      const object = readOr(unreadable, () => state.detached(kv));
      if (object === undefined || !matches(object)) continue;
      objects.push(object);
      const left = page.items.length - index - 1 + page.remaining;
      if (objects.length < want || left === 0) continue;
      if (unreadable.length > 0) throw new UnreadableObjectsError(unreadable);
      return { rev: at, objects, next: object.key, ...(filter.everything ? { remaining: left } : {}) };
    }
  }
  if (unreadable.length > 0) throw new UnreadableObjectsError(unreadable);
  return { rev: at, objects };
}

/** Undefined for an object that cannot be read, which is noted. */
function readOr(noted: UnreadableObject[], read: () => StoredObject): StoredObject | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableObjectsError)) throw error;
    if (noted.length < MOST_NOTED) noted.push(...error.objects);
    return undefined;
  }
}
