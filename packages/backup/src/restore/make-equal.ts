import { compareKeys, prefixRange, type Store, type Write } from '@orch/storage';
import { type Entry, entriesOfPart } from '../format/entry.ts';
import { CommitQueue } from './commit-queue.ts';
import { Flattened } from './flattened.ts';

/** The progress of a restore. */
export interface RestoreCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  /** Entries that were equal already: restored by an earlier run, or never changed. */
  readonly unchanged: number;
}

export interface MakeEqualOptions {
  readonly store: Store;
  readonly prefix: string;
  /** Entries with this prefix are not written; all are when absent. */
  readonly serverKeys?: string;
  /** Only these keys, with the prefix, are written; all are when absent. */
  readonly owns?: (key: string) => boolean;
  readonly onProgress?: (counts: RestoreCounts) => void;
}

/**
 * Makes the keys of a store those of `entries`, with as few writes as possible: both are read once, in the order of their
 * keys.
 */
export async function makeEqual<Summary>(
  entries: AsyncGenerator<readonly Entry[], Summary>,
  options: MakeEqualOptions,
  signal: AbortSignal,
): Promise<{ readonly counts: RestoreCounts; readonly summary: Summary }> {
  const { store, prefix, serverKeys, owns, onProgress } = options;
  const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  const source = new Flattened(
    entries,
    ({ key }) =>
      (serverKeys === undefined || !key.startsWith(serverKeys)) && (owns === undefined || owns(prefix + key)),
  );
  const target = new Flattened(presentKeys(store, prefix, signal));
  const queue = new CommitQueue(store, signal);
  await using _all = {
    [Symbol.asyncDispose]: async () => {
      await Promise.all([source.close(), target.close(), queue.settled()]);
    },
  };
  let wanted = await source.next();
  let present = await target.next();
  while (wanted !== undefined || present !== undefined) {
    const step = stepOf(wanted, present, prefix);
    counts[step.counted]++;
    if (step.write !== undefined) await queue.push(step.write);
    onProgress?.(counts);
    if (step.tookWanted) wanted = await source.next();
    if (step.tookPresent) present = await target.next();
  }
  await queue.finish();
  const summary = source.result;
  if (summary === undefined) throw new TypeError('the entries of a backup end with a summary');
  return { counts, summary };
}

interface Step {
  readonly counted: keyof RestoreCounts;
  readonly write: Write | undefined;
  readonly tookWanted: boolean;
  readonly tookPresent: boolean;
}

/** Decides about the lower of the two next keys. */
function stepOf(wanted: Entry | undefined, present: Entry | undefined, prefix: string): Step {
  const order = orderOf(wanted, present);
  if (wanted === undefined || (present !== undefined && order > 0)) {
    const write = {
      op: 'delete',
      key: prefix + (present?.key ?? ''),
      expected: present?.modRevision ?? 0,
    } as const;
    return { counted: 'deleted', write, tookWanted: false, tookPresent: true };
  }
  const { value, ttlSeconds } = wanted;
  const content = { key: prefix + wanted.key, value, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
  if (present === undefined || order < 0) {
    return { counted: 'created', write: { op: 'create', ...content }, tookWanted: true, tookPresent: false };
  }
  const isSame =
    present.value.equals(value) && (present.ttlSeconds === undefined) === (ttlSeconds === undefined);
  return isSame
    ? { counted: 'unchanged', write: undefined, tookWanted: true, tookPresent: true }
    : {
        counted: 'updated',
        write: { op: 'update', ...content, expected: present.modRevision },
        tookWanted: true,
        tookPresent: true,
      };
}

const orderOf = (wanted: Entry | undefined, present: Entry | undefined): number =>
  wanted === undefined || present === undefined ? 0 : compareKeys(wanted.key, present.key);

async function* presentKeys(
  store: Store,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Entry[], undefined> {
  for await (const part of store.scan(prefixRange(prefix), { withTtl: true }, signal))
    yield entriesOfPart(part, prefix);
}
