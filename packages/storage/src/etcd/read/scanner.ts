import type { KeyRange } from '../../keys.ts';
import { compareKeys, keyAfter } from '../../keys.ts';
import type { Revision, ScanOptions, ScanPart } from '../../store.ts';
import type { RangeRequest, WireKeyValue } from '../proto/kv.ts';
import { type FittingAnswer, type ReadRange, readFitting } from './fitting-read.ts';
import { PageSizer } from './page-sizer.ts';
import { RangeCursor } from './range-cursor.ts';

/**
 * Reads a range with one call, message by message. It may end before the range does: the rest is then read with other
 * requests. Returns whether it reached the end.
 */
export type StreamRange = (request: RangeRequest) => AsyncGenerator<readonly WireKeyValue[], boolean>;

export interface ScanReads {
  readonly read: ReadRange;
  readonly stream: StreamRange;
}

const DEFAULT_PART_BYTES = 4 * 1024 * 1024;
/**
 * etcd also reads the values when it returns only keys: the number of keys is limited so that it does not read
 * gigabytes.
 */
const KEYS_ONLY_LIMIT = 1000;

/** Scans ranges: with one streaming call where etcd supports it (3.7), else with consecutive requests. */
export class Scanner {
  readonly #sizer = new PageSizer();

  async *scan(range: KeyRange, options: ScanOptions, reads: ScanReads): AsyncGenerator<ScanPart> {
    // etcd has no empty key, and gives the ends '' and '\0' a special meaning.
    const start = range.start === '' ? '\0' : range.start;
    const rev = options.at ?? (await reads.read({ key: start, countOnly: true })).revision;
    if (compareKeys(start, range.end) >= 0) {
      if (options.at !== undefined) await reads.read({ key: start, countOnly: true, revision: rev });
      yield { rev, items: [] };
      return;
    }
    const next = yield* this.#streamed({ start, end: range.end }, { ...options, at: rev }, reads.stream);
    if (next !== undefined)
      yield* this.#read({ start: next, end: range.end }, { ...options, at: rev }, reads.read);
  }

  /** Returns the key at which reading continues, if there is more to read. */
  async *#streamed(
    range: KeyRange,
    { at, keysOnly = false }: ScanOptions & { readonly at: Revision },
    stream: StreamRange,
  ): AsyncGenerator<ScanPart, string | undefined> {
    const request = { key: range.start, rangeEnd: range.end, revision: at, keysOnly };
    let next = range.start;
    let parts = 0;
    const messages = stream(request);
    try {
      for (;;) {
        const message = await messages.next();
        if (message.done === true) {
          if (message.value && parts === 0) yield { rev: at, items: [] };
          return message.value ? undefined : next;
        }
        const last = message.value.at(-1);
        if (last === undefined) continue;
        next = keyAfter(last.key);
        parts++;
        yield { rev: at, items: message.value };
      }
    } finally {
      await messages.return(false);
    }
  }

  /** The next request is in flight while the caller processes the last answer. */
  async *#read(
    range: KeyRange,
    options: ScanOptions & { readonly at: Revision },
    read: ReadRange,
  ): AsyncGenerator<ScanPart> {
    const cursor = new RangeCursor(range);
    let parts = 0;
    for (
      let next: Promise<FittingAnswer> | undefined = this.#readPage(cursor, range, options, read);
      next;
    ) {
      const answer: FittingAnswer = await next;
      const { limit } = answer;
      const { kvs: items, count } = answer.response;
      next = cursor.advance({ keys: items, count, limit })
        ? this.#readPage(cursor, range, options, read)
        : undefined;
      // The caller may stop reading before it awaits the answer.
      next?.catch(() => undefined);
      if (items.length === 0 && (parts > 0 || next !== undefined)) continue;
      parts++;
      yield { rev: options.at, items };
    }
  }

  async #readPage(
    { start, bound }: RangeCursor,
    range: KeyRange,
    options: ScanOptions & { readonly at: Revision },
    read: ReadRange,
  ): Promise<FittingAnswer> {
    const { at, keysOnly = false, byteBudget = DEFAULT_PART_BYTES } = options;
    const sizeKey = range.end;
    const limit = keysOnly
      ? KEYS_ONLY_LIMIT
      : this.#sizer.limit(sizeKey, Number.POSITIVE_INFINITY, byteBudget);
    const request = { key: start, rangeEnd: bound, revision: at, keysOnly, limit };
    const answer = await readFitting(request, { sizer: this.#sizer, sizeKey }, read);
    const { kvs } = answer.response;
    if (!keysOnly) this.#sizer.record(sizeKey, kvs.length, sizeOf(kvs));
    return answer;
  }
}

function sizeOf(kvs: readonly WireKeyValue[]): number {
  let bytes = 0;
  for (const { key, value } of kvs) bytes += key.length + value.length;
  return bytes;
}
