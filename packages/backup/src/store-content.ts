import type { Env } from '@orch/machinery';
import { formatTime } from '@orch/machinery/time';
import { prefixRange, type ScanPart, type Store } from '@orch/storage';
import type { BackupOrigin } from './encode-backup.ts';
import { type Entry, entriesOfPart } from './format/entry.ts';

/** The content of a store at one revision. */
export interface StoreContent {
  readonly origin: BackupOrigin;
  /** In the order of the keys; read from the store on demand. */
  readonly entries: AsyncIterable<readonly Entry[]>;
}

const ID_BYTES = 16;

/**
 * Begins to read all keys with the prefix, as they are at one revision while writes continue. The store must not have
 * compacted that revision before the last entry is read: it then throws `compacted`.
 */
export async function storeContent(
  store: Pick<Store, 'scan' | 'list'>,
  { prefix, env }: { readonly prefix: string; readonly env: Pick<Env, 'clock' | 'random'> },
  signal: AbortSignal,
): Promise<StoreContent> {
  const range = prefixRange(prefix);
  const parts = store.scan(range, { withTtl: true }, signal)[Symbol.asyncIterator]();
  const first = await parts.next();
  const revision = first.done === true ? 0 : first.value.rev;
  const { count: keys } = await store.list(range, { at: revision, limit: 1, keysOnly: true }, signal);
  const id = Buffer.from(env.random.bytes(ID_BYTES)).toString('hex');
  const origin = { id, createdAt: formatTime(env.clock.now()), revision, prefix, keys };
  return { origin, entries: entriesOf(first, parts, prefix) };
}

async function* entriesOf(
  first: IteratorResult<ScanPart>,
  parts: AsyncIterator<ScanPart>,
  prefix: string,
): AsyncGenerator<readonly Entry[]> {
  try {
    for (let next = first; next.done !== true; next = await parts.next()) {
      yield entriesOfPart(next.value, prefix);
    }
  } finally {
    await parts.return?.();
  }
}
