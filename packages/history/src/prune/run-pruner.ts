import { type Env, isJsonObject, messageOf, parseJson, sleep } from '@orch/machinery';
import { historyPrefixOf, type KeyValue, type Store, StoreError } from '@orch/storage';
import { type PruneOptions, pruneHistory } from './prune-history.ts';

export interface PrunerOptions extends Pick<PruneOptions, 'retentionMs' | 'maxBytes'> {
  /** Prefix of the keys of objects. */
  readonly storePrefix: string;
  readonly env: Pick<Env, 'clock' | 'log'>;
  /** Bytes that this server has recorded since it started. */
  readonly recordedBytes: () => number;
  readonly signal: AbortSignal;
}

/** Longest time between two rounds; shorter for a short retention. */
const MAX_INTERVAL_MS = 5 * 60_000;
const INTERVALS_PER_RETENTION = 10;
/** A server that has recorded this part of the limit since its last round begins the next one early. */
const EARLY_PART = 16;
const CHECKS_PER_INTERVAL = 20;
const MIN_CHECK_MS = 500;

/** Beside the keys of objects, outside of what caches watch. */
const turnKey = (storePrefix: string): string => `${storePrefix.slice(0, -1)}~history-pruning`;

/**
 * Keeps the history within its limits, together with the other servers: of those whose interval has passed, the one that updates a
 * key first takes the round. Returns when the signal aborts. A failed round is logged, and the next one does its work.
 */
export async function runPruner(store: Store, options: PrunerOptions): Promise<void> {
  const { env, signal, retentionMs, maxBytes } = options;
  const intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(1000, retentionMs / INTERVALS_PER_RETENTION));
  const checkMs = Math.max(MIN_CHECK_MS, intervalMs / CHECKS_PER_INTERVAL);
  let before = { atMs: env.clock.monotonic(), bytes: 0 };
  while (!signal.aborted) {
    await sleep(env.clock, checkMs, signal).catch(() => undefined);
    const bytes = options.recordedBytes();
    const isDue = env.clock.monotonic() - before.atMs >= intervalMs;
    const isEarly = bytes - before.bytes >= maxBytes / EARLY_PART;
    if (signal.aborted || (!isDue && !isEarly)) continue;
    before = { atMs: env.clock.monotonic(), bytes };
    try {
      await takeRound(store, options, isEarly ? 0 : intervalMs / 2);
    } catch (error) {
      if (signal.aborted) return;
      env.log.warn('the history was not pruned; it is tried again', { error: messageOf(error) });
    }
  }
}

/** Prunes unless another server has done so within `recentMs`. */
async function takeRound(store: Store, options: PrunerOptions, recentMs: number): Promise<void> {
  const { env, signal, storePrefix } = options;
  const nowMs = env.clock.now();
  const key = turnKey(storePrefix);
  const { kv } = await store.get(key, signal);
  if (kv !== undefined && Math.abs(nowMs - timeOf(kv)) < recentMs) return;
  const value = Buffer.from(JSON.stringify({ timeMs: nowMs }));
  const write =
    kv === undefined
      ? ({ op: 'create', key, value, makesRoom: true } as const)
      : ({ op: 'update', key, value, expected: kv.modRevision, makesRoom: true } as const);
  if (!(await isTaken(store, write, signal))) return;
  const prefix = historyPrefixOf(storePrefix);
  const { deleted, keptBytes } = await pruneHistory(store, { ...options, prefix, nowMs }, signal);
  env.log.debug(2, 'pruned the history', { deleted, keptBytes });
}

/** A full store refuses the update of the key, and needs the round most: several servers may take it then. */
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

function timeOf({ value }: KeyValue): number {
  try {
    const record = parseJson(value);
    const timeMs = isJsonObject(record) ? record['timeMs'] : undefined;
    return typeof timeMs === 'number' ? timeMs : 0;
  } catch {
    return 0;
  }
}
