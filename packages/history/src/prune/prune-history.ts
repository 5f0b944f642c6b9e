import {
  MAX_SIDE_WRITES,
  prefixRange,
  type Revision,
  type SideWrites,
  type Store,
  type Write,
} from '@orch/storage';
import { changesByObject, type FoundChange } from '../read/recorded-change.ts';
import { exceeding, type HistoryLimits, type KeptPart } from './prune-plan.ts';
import { SizeByRevision } from './size-by-revision.ts';

export interface PruneOptions extends HistoryLimits {
  /** The common prefix of the keys of all changes. */
  readonly prefix: string;
  readonly nowMs: number;
}

/** The remaining changes after a round. */
export interface Pruned {
  readonly deleted: number;
  readonly keptBytes: number;
}

/** Part of the limit that is kept when all changes together exceed it, so that not every round has to delete. */
const KEPT_PART = 0.9;
/** A boundary is exact enough when at least this part is kept. */
const MIN_KEPT_PART = 0.85;

type PrunedStore = Pick<Store, 'scan' | 'commit' | 'currentRevision'>;

/** Deletes the oldest changes that exceed the limits. Reads keys only, and needs bounded memory. */
export async function pruneHistory(
  store: PrunedStore,
  options: PruneOptions,
  signal: AbortSignal,
): Promise<Pruned> {
  const { nowMs, retentionMs, maxBytes } = options;
  const sizes = new SizeByRevision({ after: 0, last: await store.currentRevision(signal) });
  const kept = { nowMs, sinceMs: nowMs - retentionMs, after: 0, maxBytes };
  const deleted = await deleteExceeding(store, options, { kept, sizes, signal });
  if (sizes.total <= maxBytes) return { deleted, keptBytes: sizes.total };
  const after = await boundaryOf(store, options, { sizes, signal });
  const left = new SizeByRevision({ after, last: after });
  const more = await deleteExceeding(store, options, { kept: { ...kept, after }, sizes: left, signal });
  return { deleted: deleted + more, keptBytes: left.total };
}

/** The revision after which the kept changes were written. */
async function boundaryOf(
  store: PrunedStore,
  options: PruneOptions,
  { sizes, signal }: { readonly sizes: SizeByRevision; readonly signal: AbortSignal },
): Promise<Revision> {
  const { maxBytes } = options;
  let found = sizes.boundary(maxBytes * KEPT_PART);
  let after = 0;
  while (found !== undefined) {
    const { span, newerBytes } = found;
    after = span.last;
    if (newerBytes >= maxBytes * MIN_KEPT_PART || span.last - span.after <= 1) break;
    const finer = new SizeByRevision(span);
    for await (const changes of allChanges(store, options, signal))
      for (const change of changes) finer.add(change);
    found = finer.boundary(maxBytes * KEPT_PART);
  }
  return after;
}

interface Round {
  readonly kept: KeptPart;
  /** Receives the remaining changes. */
  readonly sizes: SizeByRevision;
  readonly signal: AbortSignal;
}

async function deleteExceeding(
  store: PrunedStore,
  options: PruneOptions,
  { kept, sizes, signal }: Round,
): Promise<number> {
  let batch: FoundChange[] = [];
  let deleted = 0;
  const flush = async (): Promise<void> => {
    deleted += await deleteTogether(store, batch, signal);
    batch = [];
  };
  for await (const changes of allChanges(store, options, signal)) {
    const first = exceeding(changes, kept);
    for (const change of changes.slice(0, first)) {
      batch.push(change);
      if (batch.length > MAX_SIDE_WRITES) await flush();
    }
    for (const change of changes.slice(first)) sizes.add(change);
  }
  await flush();
  return deleted;
}

/** The changes of each object. The name of a resource is the first part of what follows the prefix: the whole place names an object. */
const allChanges = (
  store: Pick<Store, 'scan'>,
  { prefix }: PruneOptions,
  signal: AbortSignal,
): AsyncIterable<readonly FoundChange[]> =>
  changesByObject(store.scan(prefixRange(prefix), { keysOnly: true }, signal), prefix);

/**
 * One transaction of deletions, which a full store accepts too; returns their number. Another server may delete the same changes
 * first: then it deletes none, and the next round finds the rest.
 */
async function deleteTogether(
  store: Pick<Store, 'commit'>,
  changes: readonly FoundChange[],
  signal: AbortSignal,
): Promise<number> {
  const [first, ...others] = changes;
  if (first === undefined) return 0;
  const also = others.map(({ key }) => ({ key }));
  const { key, modRevision: expected } = first;
  const write: Write & SideWrites = { op: 'delete', key, expected, ...(also.length === 0 ? {} : { also }) };
  return (await store.commit(write, signal)).ok ? changes.length : 0;
}
