import { type KeyRange, type KeyValue, keyAfter, type Page, type Revision, type Store } from '@orch/storage';

/** Keys per page when the caller sets no limit. */
const SCAN_LIMIT = 1000;

export interface StoreListOptions {
  readonly at?: Revision;
  /** Most keys per page; pages are also bounded by bytes. */
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
 * Pages of a range, all at one revision: the requested one, or the revision of the first page. Each next page is
 * requested before the current one is yielded, so that the store and the caller work at the same time.
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
    // The caller may stop before it awaits the page.
    next?.catch(() => undefined);
    yield { rev: page.rev, items: page.items, remaining: page.more ? page.count - page.items.length : 0 };
  }
}
