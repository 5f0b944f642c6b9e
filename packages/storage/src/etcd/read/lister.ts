import { compareKeys, type KeyRange, keyAfter } from '../../keys.ts';
import { type Page, type ReadableKeyValue, type Revision, StoreError } from '../../store.ts';
import { type ReadRange, readFitting } from './fitting-read.ts';
import { PageSizer } from './page-sizer.ts';

export interface ListOptions {
  readonly at?: Revision;
  readonly limit?: number;
  readonly byteBudget?: number;
  readonly keysOnly?: boolean;
}

/** Maximum number of restarts of a list because of compactions. */
const MAX_RESTARTS = 3;

/** Lists in answers of bounded size, all at one revision, joined to the requested page. */
export class Lister {
  readonly #sizer = new PageSizer();

  async list(range: KeyRange, options: ListOptions, read: ReadRange): Promise<Page> {
    for (let restarts = 0; ; restarts++) {
      const page = new PageBuilder(options);
      try {
        return await this.#fill(page, range, options, read);
      } catch (error) {
        const restartable = options.at === undefined && page.started && restarts < MAX_RESTARTS;
        // The revision of the first answer was compacted; the caller did not request it, so a newer one is used.
        if (!restartable || !(error instanceof StoreError) || error.code !== 'compacted') throw error;
      }
    }
  }

  async #fill(page: PageBuilder, range: KeyRange, options: ListOptions, read: ReadRange): Promise<Page> {
    const { at } = options;
    // etcd has no empty key, and gives the ends '' and '\0' a special meaning.
    const start = range.start === '' ? '\0' : range.start;
    if (compareKeys(start, range.end) >= 0) {
      const response = await read({ key: start, countOnly: true, revision: at ?? 0 });
      return { rev: at ?? response.revision, items: [], more: false, count: 0 };
    }
    const { keysOnly = false } = options;
    // Keys without values do not show the size of the values.
    const fit = { sizer: this.#sizer, sizeKey: keysOnly ? `${range.end} keys` : range.end };
    for (let key = start; ; key = keyAfter(page.lastKey)) {
      const limit = this.#sizer.limit(fit.sizeKey, page.keysLeft, page.bytesLeft);
      const revision = page.started ? page.rev : (at ?? 0);
      const request = { key, rangeEnd: range.end, limit, revision, keysOnly };
      const { response } = await readFitting(request, fit, read);
      page.start(at ?? response.revision, response.count);
      this.#sizer.record(fit.sizeKey, response.kvs.length, page.add(response.kvs));
      if (!response.more || page.full) return page.page(response.more);
    }
  }
}

/** Collects items until the limits of a page are met. */
class PageBuilder {
  readonly #limit: number;
  readonly #byteBudget: number;
  readonly #items: ReadableKeyValue[] = [];
  #bytes = 0;
  #rev: Revision = 0;
  #count = 0;
  #full = false;

  constructor(options: ListOptions) {
    this.#limit = options.limit ?? Number.POSITIVE_INFINITY;
    this.#byteBudget = options.byteBudget ?? Number.POSITIVE_INFINITY;
  }

  get started(): boolean {
    return this.#rev > 0;
  }

  get rev(): Revision {
    return this.#rev;
  }

  get lastKey(): string {
    return this.#items.at(-1)?.key ?? '';
  }

  get keysLeft(): number {
    return Math.max(1, this.#limit - this.#items.length);
  }

  get bytesLeft(): number {
    return Math.max(1, this.#byteBudget - this.#bytes);
  }

  get full(): boolean {
    return this.#full || this.#items.length >= this.#limit;
  }

  /** Facts about the whole range from the first answer. */
  start(rev: Revision, count: number): void {
    if (this.started) return;
    this.#rev = rev;
    this.#count = count;
  }

  /** Adds what fits, at least one item a page; returns the bytes of all that was offered. */
  add(kvs: readonly ReadableKeyValue[]): number {
    let offered = 0;
    for (const kv of kvs) {
      const size = Buffer.byteLength(kv.key) + kv.value.length;
      offered += size;
      this.#full ||=
        this.#items.length > 0 &&
        (this.#items.length >= this.#limit || this.#bytes + size > this.#byteBudget);
      if (this.#full) continue;
      this.#items.push(kv);
      this.#bytes += size;
    }
    return offered;
  }

  page(more: boolean): Page {
    return {
      rev: this.#rev,
      items: this.#items,
      more: more || this.#items.length < this.#count,
      count: this.#count,
    };
  }
}
