import { type Env, isJsonObject, parseJson, sleep } from '@orch/machinery';
import type { KeyValue, Revision, Store } from './store.ts';

export interface CompactorOptions {
  /** Key through which the replicas that share the store agree on who compacts. Outside of every watched range. */
  readonly key: string;
  /** How much history is kept at least; up to twice as much at times. 0 switches compaction off. Default 5 minutes. */
  readonly intervalMs?: number;
  readonly env: Pick<Env, 'clock' | 'log'>;
  readonly signal: AbortSignal;
}

const DEFAULT_INTERVAL_MS = 5 * 60 * 1000;

/**
 * Keeps `intervalMs` of history, together with every other replica that runs it with the same key; returns when the
 * signal aborts.
 *
 * The key holds `{revision, time}`: where the store was when it was written. Each replica waits one interval from the
 * moment it first saw a version of the key, by its own monotonic clock, and then replaces it with the present. One of
 * them wins; it compacts through the revision that it replaced, which is an interval old at least, whatever the
 * clocks of the others say. The losers adopt the winner's version and wait again. A replica that dies after it won
 * leaves the compaction to the next round. Failures are logged and tried again an interval later: history that is
 * kept too long harms nobody.
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
      // What the key holds is read anew: a claim whose outcome is unknown may have taken effect.
      seen = undefined;
      const message = error instanceof Error ? error.message : String(error);
      env.log.warn('compaction failed and will be tried again', { error: message, retryMs: intervalMs });
    }
    await sleep(env.clock, intervalMs, signal).catch(() => undefined);
  }
}

/** One round; the version of the key to wait for an interval from now on. */
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
    seen === undefined
      ? { op: 'create', key, value, makesRoom: true }
      : { op: 'update', key, value, expected: seen.modRevision, makesRoom: true },
    signal,
  );
  if (!result.ok) return result.current;
  const through = seen === undefined ? undefined : claimedRevision(seen.value);
  if (through !== undefined) {
    await store.compact(through, signal);
    env.log.debug(2, 'compacted', { through });
  }
  return { key, value, createRevision: seen?.createRevision ?? result.rev, modRevision: result.rev };
}

/** The revision that a version of the key tells of; undefined when it was written by something else. */
function claimedRevision(value: Buffer): Revision | undefined {
  try {
    const claim = parseJson(value);
    const revision = isJsonObject(claim) ? claim.revision : undefined;
    return Number.isSafeInteger(revision) && Number(revision) > 0 ? Number(revision) : undefined;
  } catch {
    return undefined;
  }
}
