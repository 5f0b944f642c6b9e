import type { Env } from '@orch/machinery';
import { compareKeys, type Store } from '@orch/storage';
import type { Entry } from '../format/entry.ts';
import { Flattened } from '../restore/flattened.ts';
import { type StoreContent, storeContent } from '../store-content.ts';

/** A store, and which keys of all stores are its own. */
export interface PartialStore {
  readonly store: Pick<Store, 'scan' | 'list'>;
  readonly owns: (key: string) => boolean;
}

/** Bytes of values that are passed on together. */
const PART_BYTES = 1024 * 1024;

/**
 * As `storeContent`, of several stores, each at one revision of its own. The revision of the content is the highest of them.
 */
export async function contentOfStores(
  stores: readonly PartialStore[],
  options: { readonly prefix: string; readonly env: Pick<Env, 'clock' | 'random'> },
  signal: AbortSignal,
): Promise<StoreContent> {
  const contents = await Promise.all(stores.map(({ store }) => storeContent(store, options, signal)));
  const [first, ...others] = contents;
  if (first === undefined) throw new TypeError('there is no store');
  if (others.length === 0) return first;
  const origins = contents.map(({ origin }) => origin);
  const origin = {
    ...first.origin,
    revision: Math.max(...origins.map(({ revision }) => revision)),
    keys: origins.reduce((sum, { keys = 0 }) => sum + keys, 0),
  };
  const sources = contents.map(({ entries }, i) => {
    const owns = (entry: Entry): boolean => stores[i]?.owns(options.prefix + entry.key) === true;
    return new Flattened(entries[Symbol.asyncIterator](), owns);
  });
  return { origin, entries: inKeyOrder(sources) };
}

/** Merges streams, each in the order of keys. */
async function* inKeyOrder(
  sources: readonly Flattened<Entry, unknown>[],
): AsyncGenerator<readonly Entry[], undefined> {
  try {
    const heads = await Promise.all(sources.map(async (source) => ({ source, entry: await source.next() })));
    let part: Entry[] = [];
    let bytes = 0;
    for (;;) {
      let lowest: (typeof heads)[number] | undefined;
      for (const head of heads)
        if (
          head.entry !== undefined &&
          (lowest?.entry === undefined || compareKeys(head.entry.key, lowest.entry.key) < 0)
        )
          lowest = head;
      if (lowest?.entry === undefined) break;
      part.push(lowest.entry);
      bytes += lowest.entry.key.length + lowest.entry.value.length;
      lowest.entry = await lowest.source.next();
      if (bytes < PART_BYTES) continue;
      yield part;
      [part, bytes] = [[], 0];
    }
    if (part.length > 0) yield part;
    return undefined;
  } finally {
    await Promise.all(sources.map((source) => source.close()));
  }
}
