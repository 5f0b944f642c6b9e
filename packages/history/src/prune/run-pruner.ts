import type { Env } from '@orch/machinery';
import { isJsonObject, parseJson } from '@orch/machinery/json';
import { runRounds } from '@orch/machinery/queue';
import { historyPrefixOf, type KeyValue, makingRoom, readable, type Store, StoreError } from '@orch/storage';
import { type PruneOptions, pruneHistory } from './prune-history.ts';
import { nextPruningTime, type PruningTime } from './pruning-time.ts';

export interface PrunerOptions extends Pick<PruneOptions, 'retentionMs' | 'maxBytes'> {
  /** Prefix of the keys of objects. */
  readonly storePrefix: string;
  readonly env: Env;
  /** Bytes that this server has recorded since it started. */
  readonly recordedBytes: () => number;
  readonly signal: AbortSignal;
}

/** Longest time between two rounds; shorter for a short retention. */
const MAX_INTERVAL_MS = 5 * 60_000;
const INTERVALS_PER_RETENTION = 10;
/** A server that has recorded this part of the limit since its last round starts the next one early. */
const EARLY_PART = 16;
const CHECKS_PER_INTERVAL = 20;
const MIN_CHECK_MS = 500;
/** A round deletes everything that exceeds the limits. */
const ROUND_DEADLINE_MS = 3_600_000;
/** A clock may be ahead of the last round by this part of the retention, and by two intervals. */
const AHEAD_PART = 10;

/** Beside the keys of objects, outside of what caches watch. */
const turnKey = (storePrefix: string): string => `${storePrefix.slice(0, -1)}~history-pruning`;

/**
 * Keeps the history within its limits, together with the other servers: of those whose interval has passed, the one
 * that first updates a key runs the round. Returns when the signal aborts. A failed round is logged, and the next one
 * does its work.
 */
export async function runPruner(store: Store, options: PrunerOptions): Promise<void> {
  const { env, signal, retentionMs, maxBytes } = options;
  const intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(1000, retentionMs / INTERVALS_PER_RETENTION));
  const checkMs = Math.max(MIN_CHECK_MS, intervalMs / CHECKS_PER_INTERVAL);
  let before = { atMs: env.clock.monotonic(), bytes: 0 };
  const round = async (until: AbortSignal): Promise<void> => {
    const bytes = options.recordedBytes();
    const isDue = env.clock.monotonic() - before.atMs >= intervalMs;
    const isEarly = bytes - before.bytes >= maxBytes / EARLY_PART;
    if (!isDue && !isEarly) return;
    before = { atMs: env.clock.monotonic(), bytes };
    await takeRound(store, { ...options, signal: until }, { intervalMs, isEarly });
  };
  const failed = 'the history was not pruned; retrying later';
  const timing = { intervalMs: checkMs, firstAfterMs: checkMs, deadlineMs: ROUND_DEADLINE_MS };
  await runRounds({ env, name: 'history_pruning', failed, ...timing, round }, signal);
}

interface RoundKind {
  readonly intervalMs: number;
  readonly isEarly: boolean;
}

/** Prunes unless another server has done so recently; an early round prunes in any case. */
async function takeRound(
  store: Store,
  options: PrunerOptions,
  { intervalMs, isEarly }: RoundKind,
): Promise<void> {
  const { env, signal, storePrefix, retentionMs } = options;
  const nowMs = env.clock.now();
  const key = turnKey(storePrefix);
  const { kv } = await store.get(key, signal);
  const last = kv === undefined ? undefined : timeOf(kv);
  if (!isEarly && last !== undefined && Math.abs(nowMs - last.timeMs) < intervalMs / 2) return;
  const boundMs = Math.max(2 * intervalMs, retentionMs / AHEAD_PART);
  const next = nextPruningTime(last, nowMs, { boundMs, isEarly });
  const value = Buffer.from(JSON.stringify(next));
  const write = makingRoom(
    kv === undefined ? { op: 'create', key, value } : { op: 'update', key, value, expected: kv.modRevision },
  );
  if (!(await isTaken(store, write, signal))) return;
  if (next.timeMs < nowMs)
    env.log.warn('no old history is deleted yet: the clock is far ahead of the last pruning', {
      aheadMs: nowMs - next.timeMs,
    });
  const prefix = historyPrefixOf(storePrefix);
  const { deleted, keptBytes } = await pruneHistory(
    store,
    { ...options, prefix, nowMs: next.timeMs },
    signal,
  );
  env.log.debug(2, 'pruned the history', { deleted, keptBytes });
}

/** A full store refuses the update of the key but needs the round most: several servers may run it then. */
async function isTaken(
  store: Store,
  write: Parameters<Store['commit']>[0],
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await store.commit(write, signal)).ok;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'full') return true;
    throw error;
  }
}

/** Undefined for a value that no server wrote. */
function timeOf(kv: KeyValue): PruningTime | undefined {
  try {
    const record = parseJson(readable(kv).value);
    if (!isJsonObject(record)) return undefined;
    const { timeMs, ahead } = record;
    if (typeof timeMs !== 'number') return undefined;
    return { timeMs, ahead: typeof ahead === 'number' ? ahead : 0 };
  } catch {
    return undefined;
  }
}
