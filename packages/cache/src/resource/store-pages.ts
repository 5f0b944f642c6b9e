import {
  type KeyRange,
  type KeyValue,
  keyAfter,
  type Page,
  prefixRange,
  type Revision,
  type Store,
} from '@orch/storage';

/** Keys read at a time when only some of them are wanted. */
const SCAN_LIMIT = 1000;

export interface StoreListOptions {
  readonly at?: Revision;
  /** Most keys per page; pages are bounded by bytes anyway. */
  readonly limit?: number;
  readonly byteBudget: number;
}

export interface StorePage {
  readonly rev: Revision;
  readonly items: readonly KeyValue[];
  /** Keys of the range that follow the page. */
  readonly remaining: number;
}

/**
 * Pages of a range, all of them at one revision: the one asked for, or the one that the first page is read at. The
 * next page is asked for while the caller works on the last one.
 */
export async function* storePages(
  store: Store,
  range: KeyRange,
  options: StoreListOptions,
  signal: AbortSignal,
): AsyncGenerator<StorePage> {
  const { byteBudget, limit = SCAN_LIMIT } = options;
  const rest = { limit, byteBudget };
  const read = (start: string, at: Revision | undefined): Promise<Page> =>
    store.list({ start, end: range.end }, at === undefined ? rest : { ...rest, at }, signal);
  for (let next: Promise<Page> | undefined = read(range.start, options.at); next !== undefined; ) {
    const page: Page = await next;
    const last = page.items.at(-1);
    next = page.more && last !== undefined ? read(keyAfter(last.key), page.rev) : undefined;
    // The caller may never come back for it.
    next?.catch(() => undefined);
    yield { rev: page.rev, items: page.items, remaining: page.more ? page.count - page.items.length : 0 };
  }
}

/** The keys below `prefix` that follow `after`, all when it is absent. */
export function rangeAfter(prefix: string, after: string | undefined): KeyRange {
  const range = prefixRange(prefix);
  return after === undefined ? range : { start: keyAfter(after), end: range.end };
}

/** The range of one key. */
export function rangeOf(key: string): KeyRange {
  return { start: key, end: keyAfter(key) };
}
