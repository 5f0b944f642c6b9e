import { type Clock, sleep, withDeadline } from '@orch/machinery';
import { resolveCommit } from '../resolve.ts';
import {
  type Committed,
  type KeyValue,
  type Revision,
  type Store,
  StoreError,
  type Write,
} from '../store.ts';
import { storeErrorOf } from './etcd-error.ts';

export interface ResolutionOptions {
  readonly clock: Clock;
  /** Reads by which the commit is decided. */
  readonly reads: Pick<Store, 'get' | 'watch'>;
  /** How long it may stay undecided. */
  readonly timeoutMs: number;
}

/** A commit whose answer did not come. */
export interface Doubt {
  readonly write: Write;
  /** A revision that the store had reached before the write was sent. */
  readonly sentAfter: Revision;
  /** What the call failed with. */
  readonly cause: unknown;
  /** The server answered: what the write did is done. Otherwise the request may still be on its way. */
  readonly settled: boolean;
}

const DELAYS_MS = [1, 20, 50, 100, 200, 400];
const LAST_DELAY_MS = 500;

/**
 * Finds out what became of a write, by reading only. A request may still be on its way while nothing of it shows, so
 * it looks again until the time is over. Throws `outcomeUnknown` when it cannot be established.
 */
export async function resolveDoubt(
  options: ResolutionOptions,
  doubt: Doubt,
  signal: AbortSignal,
): Promise<Committed> {
  const { clock, reads, timeoutMs } = options;
  using scope = withDeadline(signal, clock, timeoutMs);
  for (let attempt = 0; ; attempt++) {
    try {
      await sleep(clock, DELAYS_MS[attempt] ?? LAST_DELAY_MS, scope.signal);
      const found = await look(reads, doubt, scope.signal);
      if (found === 'notWritten') break;
      if (found !== 'pending') return found;
    } catch (error) {
      const unavailable = error instanceof StoreError && error.code === 'unavailable';
      if (!unavailable || scope.signal.aborted) throw outcomeUnknown(error);
    }
  }
  throw storeErrorOf(doubt.cause);
}

export function outcomeUnknown(cause: unknown): StoreError {
  const message = 'a write was sent, and whether it took effect could not be established';
  return new StoreError('outcomeUnknown', message, { cause });
}

/** One look; `pending` when the write may still be on its way. */
async function look(
  reads: Pick<Store, 'get' | 'watch'>,
  { write, sentAfter, cause, settled }: Doubt,
  signal: AbortSignal,
): Promise<Committed | 'pending' | 'notWritten'> {
  const { rev, kv } = await reads.get(write.key, signal);
  if (kv !== undefined && kv.modRevision > sentAfter) {
    // Bytes that were put since the write was sent, and are the write's, are its effect.
    if (write.op !== 'delete' && kv.value.equals(write.value)) return { ok: true, rev: kv.modRevision };
  } else if (kv !== undefined && write.op !== 'create' && kv.modRevision !== write.expected) {
    // Somebody else had replaced the expected version before the write was sent.
    return { ok: false, rev, current: kv };
  } else if (kv === undefined && write.op === 'delete') {
    // Gone, by this write or by another: a deletion carries no mark, and looking again will not tell.
    throw outcomeUnknown(cause);
  }
  const resolution = await resolveCommit(
    reads,
    narrowed(write, sentAfter, kv),
    { sentAfter, settled },
    signal,
  );
  switch (resolution.outcome) {
    case 'committed':
      return { ok: true, rev: resolution.rev };
    case 'lost':
      return resolution.current === undefined
        ? { ok: false, rev: resolution.rev }
        : { ok: false, rev: resolution.rev, current: resolution.current };
    case 'notWritten':
      return 'notWritten';
    case 'unknown':
      return 'pending';
  }
}

/**
 * An update or deletion whose key was written since: only what happened after the write was sent decides, and the
 * history before, which may be long or compacted, need not be read.
 */
function narrowed(write: Write, sentAfter: Revision, kv: KeyValue | undefined): Write {
  if (write.op === 'create' || kv === undefined || kv.modRevision <= sentAfter) return write;
  return { ...write, expected: Math.max(write.expected, sentAfter) };
}
