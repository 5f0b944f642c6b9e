import { MAX_SIDE_WRITES, prefixRange, type Store } from '@orch/storage';
import { changesByObject, type FoundChange } from '../read/recorded-change.ts';
import { AgeHistogram, exceeding, type HistoryLimits } from './prune-plan.ts';

export interface PruneOptions extends HistoryLimits {
  /** What the keys of all changes begin with. */
  readonly prefix: string;
  readonly nowMs: number;
}

/** What is left after a round. */
export interface Pruned {
  readonly deleted: number;
  readonly keptBytes: number;
}

/** When all changes together exceed their limit, this part of it is kept, so that not every round has to delete. */
const KEPT_PART = 0.9;

/** Deletes the changes that exceed the limits, the oldest first. Reads keys only, and needs bounded memory. */
export async function pruneHistory(
  store: Pick<Store, 'scan' | 'commit'>,
  options: PruneOptions,
  signal: AbortSignal,
): Promise<Pruned> {
  const { nowMs, retentionMs, maxBytes } = options;
  const ages = new AgeHistogram(nowMs, options);
  const deleted = await pruneOlder(store, options, { keptSinceMs: nowMs - retentionMs, ages, signal });
  if (ages.total <= maxBytes) return { deleted, keptBytes: ages.total };
  const keptSinceMs = ages.keptSince(maxBytes * KEPT_PART) ?? nowMs;
  const kept = new AgeHistogram(nowMs, options);
  const more = await pruneOlder(store, options, { keptSinceMs, ages: kept, signal });
  return { deleted: deleted + more, keptBytes: kept.total };
}

interface Round {
  readonly keptSinceMs: number;
  /** Receives what is kept. */
  readonly ages: AgeHistogram;
  readonly signal: AbortSignal;
}

async function pruneOlder(
  store: Pick<Store, 'scan' | 'commit'>,
  options: PruneOptions,
  { keptSinceMs, ages, signal }: Round,
): Promise<number> {
  const range = prefixRange(options.prefix);
  let batch: FoundChange[] = [];
  let deleted = 0;
  const flush = async (): Promise<void> => {
    await deleteTogether(store, batch, signal);
    deleted += batch.length;
    batch = [];
  };
  // The name of a resource is the first part of what follows the prefix: the whole place names an object.
  for await (const changes of changesByObject(
    store.scan(range, { keysOnly: true }, signal),
    options.prefix,
  )) {
    const first = exceeding(changes, options, keptSinceMs);
    for (const change of changes.slice(0, first)) {
      batch.push(change);
      if (batch.length > MAX_SIDE_WRITES) await flush();
    }
    for (const change of changes.slice(first)) ages.add(change);
  }
  await flush();
  return deleted;
}

/** One transaction of deletions, which a full store accepts too. Those that another server has deleted are no failure. */
async function deleteTogether(
  store: Pick<Store, 'commit'>,
  changes: readonly FoundChange[],
  signal: AbortSignal,
): Promise<void> {
  const [first, ...others] = changes;
  if (first === undefined) return;
  const also = others.map(({ key }) => ({ key }));
  const write = { op: 'delete', key: first.key, expected: first.modRevision } as const;
  const committed = await store.commit(also.length === 0 ? write : { ...write, also }, signal);
  // Another server prunes the same changes, or has: what it left is found by the next round.
  if (!committed.ok) return;
}
