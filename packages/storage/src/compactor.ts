import { type Env, messageOf } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { isJsonObject, parseJson } from '@orch/machinery/json';
import { makingRoom } from './extensions/write-extensions.ts';
import type { KeyValue, Revision, Store } from './store.ts';
import { readable } from './store-values.ts';

export interface CompactorOptions {
  /** Key by which the replicas that share the store elect the one that compacts. Outside of every watched range. */
  readonly key: string;
  /** Minimum length of the kept history; up to twice as much is kept. 0 disables compaction. Default 5 minutes. */
  readonly intervalMs?: number;
  readonly env: Pick<Env, 'clock' | 'log'>;
  readonly signal: AbortSignal;
}

const DEFAULT_INTERVAL_MS = 5 * 60 * 1000;

/**
 * Keeps `intervalMs` of history, together with every other replica that runs it with the same key; returns when the
 * signal aborts.
 *
 * The key holds `{revision, time}`: the store's revision when the key was written. Each replica waits one interval
 * from the moment it first saw a version of the key, by its own monotonic clock, and then replaces it with the current
 * revision. One replica wins; it compacts through the revision that it replaced, which is at least one interval old,
 * independently of the clocks of the others. The losers adopt the winner's version and wait again. When the winner
 * stops before it has compacted, the next round compacts. Failures are logged and retried after an interval: longer
 * history is harmless.
 */
export async function runCompactor(store: Store, options: CompactorOptions): Promise<void> {
  const { env, signal, intervalMs = DEFAULT_INTERVAL_MS } = options;
  if (intervalMs <= 0) return;
  let seen: KeyValue | undefined;
  while (!signal.aborted) {
    try {
      seen = await takePart(store, options, seen);
    } catch (error) {
      if (signal.aborted) return;
      // The key is read again: a write whose outcome is unknown may have taken effect.
      seen = undefined;
      const message = messageOf(error);
      env.log.warn('compaction failed; retrying', { error: message, retryMs: intervalMs });
    }
    await sleep(env.clock, intervalMs, signal).catch(() => undefined);
  }
}

/** Runs one round; returns the version of the key to replace after the next interval. */
async function takePart(
  store: Store,
  options: CompactorOptions,
  seen: KeyValue | undefined,
): Promise<KeyValue | undefined> {
  const { key, env, signal } = options;
  if (seen === undefined) {
    const { kv } = await store.get(key, signal);
    if (kv !== undefined) return kv;
  }
  const revision = await store.currentRevision(signal);
  const value = Buffer.from(JSON.stringify({ revision, time: new Date(env.clock.now()).toISOString() }));
  const result = await store.commit(
    makingRoom(
      seen === undefined
        ? { op: 'create', key, value }
        : { op: 'update', key, value, expected: seen.modRevision },
    ),
    signal,
  );
  if (!result.ok) return result.current;
  const through = seen === undefined ? undefined : claimedRevision(readable(seen).value);
  if (through !== undefined) {
    await store.compact(through, signal);
    env.log.debug(2, 'compacted', { through });
  }
  return { key, value, createRevision: seen?.createRevision ?? result.rev, modRevision: result.rev };
}

/** The revision in a value of the key; undefined for a value of another format. */
function claimedRevision(value: Buffer): Revision | undefined {
  try {
    const claim = parseJson(value);
    const revision = isJsonObject(claim) ? claim.revision : undefined;
    return Number.isSafeInteger(revision) && Number(revision) > 0 ? Number(revision) : undefined;
  } catch {
    return undefined;
  }
}
