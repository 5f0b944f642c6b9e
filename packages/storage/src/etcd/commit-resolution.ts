import { type Clock, sleep, withDeadline } from '@orch/machinery';
import {
  type Committed,
  type KeyValue,
  type Revision,
  type Store,
  StoreError,
  type Write,
} from '../store.ts';
import type { CommitMark, CommitMarks } from './commit-marks.ts';
import type { EtcdClient } from './etcd-client.ts';
import { storeErrorOf } from './etcd-error.ts';
import type { RevisionTracker } from './revision-tracker.ts';
import { RpcError } from './rpc/status.ts';

export interface CommitResolverOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly tracker: RevisionTracker;
  readonly reads: Pick<Store, 'get'>;
  readonly marks: CommitMarks;
  /** How long a commit may stay undecided. */
  readonly timeoutMs: number;
}

/** A commit whose answer did not come. */
export interface Doubt {
  readonly write: Write;
  readonly mark: CommitMark;
  /** What the call failed with. */
  readonly cause: unknown;
  /** The server answered: what the write did is done. Otherwise the request may still be on its way. */
  readonly answered: boolean;
}

/** What became of the write. `rev` is when it took effect, or a revision at which it had not and never will. */
interface Finding {
  readonly took: boolean;
  readonly rev: Revision;
  /** The key at `rev`, for a write that did not take effect. */
  readonly kv?: KeyValue | undefined;
  /** When the mark was last written. */
  readonly markedAt: Revision;
}

const DELAYS_MS = [1, 20, 50, 100, 200, 400];
const LAST_DELAY_MS = 500;
/** What one attempt may take: the member that is asked may be the one that does not answer. */
const ATTEMPT_MS = 2000;

/**
 * Finds out what became of writes whose answer was lost, without sending any of them again. It writes the mark of the
 * commit itself: where that succeeds, the commit did not take effect and cannot any more, wherever its request still is;
 * where the mark was written before, what it holds says by whom.
 */
export class CommitResolver {
  readonly #options: CommitResolverOptions;

  constructor(options: CommitResolverOptions) {
    this.#options = options;
  }

  /** Throws `outcomeUnknown` when it cannot be established in time. */
  async resolve(doubt: Doubt, signal: AbortSignal): Promise<Committed> {
    const found = await this.#find(doubt, signal);
    this.#options.marks.release(doubt.mark, found.markedAt);
    const { took, rev, kv } = found;
    if (took) return { ok: true, rev };
    if ((kv?.modRevision ?? 0) === expectedOf(doubt.write)) throw storeErrorOf(doubt.cause);
    return kv === undefined ? { ok: false, rev } : { ok: false, rev, current: kv };
  }

  async #find(doubt: Doubt, signal: AbortSignal): Promise<Finding> {
    const { clock, marks, timeoutMs } = this.#options;
    using scope = withDeadline(signal, clock, timeoutMs);
    let cause: unknown = doubt.cause;
    for (let attempt = 0; ; attempt++) {
      try {
        await sleep(clock, DELAYS_MS[attempt] ?? LAST_DELAY_MS, scope.signal);
        const found = doubt.answered
          ? await this.#read(doubt, scope.signal)
          : await this.#fence(doubt, scope.signal);
        if (found !== undefined) return found;
        break;
      } catch (error) {
        cause = error;
        if (scope.signal.aborted || !isTransient(error)) break;
      }
    }
    marks.leaveBehind(doubt.mark);
    throw outcomeUnknown(cause);
  }

  /** Undefined when the mark shows neither the commit nor an earlier fence: its lease has ended. */
  async #fence({ write, mark }: Doubt, signal: AbortSignal): Promise<Finding | undefined> {
    const { client, tracker } = this.#options;
    const value = fenceOf(mark);
    const request = { key: write.key, mark: { ...mark, value } };
    const answer = await client.fence(request, { timeoutMs: ATTEMPT_MS, signal });
    const { revision: rev, kv } = answer;
    tracker.observe(rev);
    if (answer.succeeded) return { took: false, rev, kv, markedAt: rev };
    const markedAt = answer.mark?.modRevision ?? 0;
    const holder = answer.mark?.value.toString();
    if (holder === mark.value) return { took: true, rev: markedAt, markedAt };
    // The answer to an earlier fence was lost as well.
    return holder === value ? { took: false, rev, kv, markedAt } : undefined;
  }

  /** Nothing is on its way any more, and nothing can be written: the database is full. */
  async #read({ write, mark }: Doubt, signal: AbortSignal): Promise<Finding> {
    const { reads } = this.#options;
    const marked = (await reads.get(mark.key, signal)).kv;
    const markedAt = marked?.modRevision ?? 0;
    if (marked?.value.toString() === mark.value) return { took: true, rev: markedAt, markedAt };
    const { rev, kv } = await reads.get(write.key, signal);
    return { took: false, rev, kv, markedAt };
  }
}

/** What stands in the mark of a commit that was made impossible; commits have numbers. */
const fenceOf = ({ value }: CommitMark): string => `-${value}`;

/** The revision that the key is to have, 0 when it is to be absent. */
export const expectedOf = (write: Write): Revision => (write.op === 'create' ? 0 : write.expected);

export function outcomeUnknown(cause: unknown): StoreError {
  const message = 'a write was sent, and whether it took effect could not be established';
  return new StoreError('outcomeUnknown', message, { cause });
}

function isTransient(error: unknown): boolean {
  if (error instanceof StoreError) return error.code === 'unavailable';
  return error instanceof RpcError && error.failure !== 'aborted' && error.failure !== 'closed';
}
