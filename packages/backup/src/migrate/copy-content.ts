import { carriedValue, type Store } from '@orch/storage';
import type { Entry } from '../format/entry.ts';
import { makeEqual } from '../restore/make-equal.ts';
import type { StoreContent } from '../store-content.ts';

export interface CopyOptions {
  readonly store: Store;
  readonly prefix: string;
  readonly onKeys: (keys: number) => void;
}

/** Makes the keys of a store those of `content`, each with its revisions. */
export async function copyContent(
  content: StoreContent,
  { store, prefix, onKeys }: CopyOptions,
  signal: AbortSignal,
): Promise<void> {
  await makeEqual(
    carried(content.entries),
    {
      store,
      prefix,
      onProgress: ({ created, updated, unchanged }) => onKeys(created + updated + unchanged),
    },
    signal,
  );
}

async function* carried(
  parts: AsyncIterable<readonly Entry[]>,
): AsyncGenerator<readonly Entry[], { readonly isWhole: true }> {
  for await (const entries of parts)
    yield entries.map((entry) => ({ ...entry, value: carriedValue(entry.value, entry) }));
  return { isWhole: true };
}
