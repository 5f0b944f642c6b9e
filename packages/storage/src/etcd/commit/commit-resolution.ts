import type { Clock } from '@orch/machinery';
import { sleep, withDeadline } from '@orch/machinery/concurrency';
import {
  type Committed,
  type KeyValue,
  type Revision,
  type Store,
  StoreError,
  type Write,
} from '../../store.ts';
import { readable } from '../../store-values.ts';
import type { EtcdClient } from '../client/etcd-client.ts';
import { storeErrorOf } from '../client/etcd-error.ts';
import type { RevisionTracker } from '../client/revision-tracker.ts';
import { RpcError } from '../rpc/status.ts';
import type { CommitMark, CommitMarks } from './commit-marks.ts';

export interface CommitResolverOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly tracker: RevisionTracker;
  readonly reads: Pick<Store, 'get'>;
  readonly marks: CommitMarks;
  /** Maximum time to determine the outcome of a commit. */
  readonly timeoutMs: number;
}

/** A commit without an answer. */
export interface Doubt {
  readonly write: Write;
  readonly mark: CommitMark;
  /** The error of the call. */
  readonly cause: unknown;
  /** The server answered: the request has been processed. Otherwise it may still be in flight. */
  readonly answered: boolean;
}

/**
 * The outcome of the write. `rev` is the revision at which it took effect, or one at which it had not and never will.
 */
interface Finding {
  readonly took: boolean;
  readonly rev: Revision;
  /** The key at `rev`, when the write did not take effect. */
  readonly kv?: KeyValue | undefined;
  /** Revision at which the mark was last written. */
  readonly markedAt: Revision;
}

const DELAYS_MS = [1, 20, 50, 100, 200, 400];
const LAST_DELAY_MS = 500;
/** Timeout of one attempt: the requested member may be the one that does not answer. */
const ATTEMPT_MS = 2000;

/**
 * Determines the outcome of writes whose answer was lost, without sending any of them again. It overwrites the mark of
 * the commit (a fence): when that succeeds, the commit did not take effect and cannot any more, even if its request is
 * still in flight; when the mark was written before, its value shows by which commit.
 */
export class CommitResolver {
  readonly #options: CommitResolverOptions;

  constructor(options: CommitResolverOptions) {
    this.#options = options;
  }

  /** Throws `outcomeUnknown` when it cannot be determined in time. */
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

  /** Undefined when the mark shows neither the commit nor an earlier fence: its lease has expired. */
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

  /** No request is in flight, and nothing can be written: the database is full. */
  async #read({ write, mark }: Doubt, signal: AbortSignal): Promise<Finding> {
    const { reads } = this.#options;
    const marked = readable((await reads.get(mark.key, signal)).kv);
    const markedAt = marked?.modRevision ?? 0;
    if (marked?.value.toString() === mark.value) return { took: true, rev: markedAt, markedAt };
    const { rev, kv } = await reads.get(write.key, signal);
    return { took: false, rev, kv, markedAt };
  }
}

/** Value of a fenced mark; the values of commits are numbers. */
const fenceOf = ({ value }: CommitMark): string => `-${value}`;

/** The expected revision of the key, 0 when it must be absent. */
export const expectedOf = (write: Write): Revision => (write.op === 'create' ? 0 : write.expected);

export function outcomeUnknown(cause: unknown): StoreError {
  const message = 'a write was sent, and whether it took effect could not be established';
  return new StoreError('outcomeUnknown', message, { cause });
}

function isTransient(error: unknown): boolean {
  if (error instanceof StoreError) return error.code === 'unavailable';
  return error instanceof RpcError && error.failure !== 'aborted' && error.failure !== 'closed';
}
