import type { Clock, Logger } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import { type SideWrites, sideWritesOf } from '../../extensions/write-extensions.ts';
import { type Committed, type Guard, type Store, StoreError, type Write } from '../../store.ts';
import type { EtcdClient } from '../client/etcd-client.ts';
import { isAmbiguous, isQuotaExceeded, refusalOf, storeErrorOf } from '../client/etcd-error.ts';
import type { RevisionTracker } from '../client/revision-tracker.ts';
import type { CasResponse } from '../proto/txn.ts';
import { RpcError } from '../rpc/status.ts';
import type { CallOptions } from '../rpc/unary-call.ts';
import { type CommitMark, CommitMarks } from './commit-marks.ts';
import { CommitResolver, expectedOf, outcomeUnknown } from './commit-resolution.ts';
import { type Lease, LeasePool } from './lease-pool.ts';

export interface CommitterOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tracker: RevisionTracker;
  /** Reads of the store, which resolve an ambiguous commit when etcd reports that it is full. */
  readonly reads: Pick<Store, 'get'>;
  /** Prefix of the commit marks. */
  readonly marksPrefix: string;
  readonly commitTimeoutMs: number;
  /** Maximum time to resolve an ambiguous commit. */
  readonly resolveTimeoutMs: number;
}

/** Attempts of a commit whose lease or mark did not exist: nothing was written then. */
const MAX_ATTEMPTS = 4;
/** Remaining lifetime of a mark after all waits of a commit have reached their timeouts. */
const MARK_MARGIN_MS = 10_000;

/** One attempt to commit: the parts of the transaction besides the write. */
interface Attempt {
  readonly mark: CommitMark | undefined;
  readonly lease: Lease | undefined;
}

/** Nothing was written because a lease or mark of this server did not exist: the write may be sent again. */
const REFUSED = Symbol('refused');

/**
 * Commits writes: one transaction each, sent once. Each one includes a mark (`CommitMarks`), by which the outcome is
 * determined when there is no answer.
 */
export class Committer {
  readonly #options: CommitterOptions;
  readonly #leases: LeasePool;
  readonly #marks: CommitMarks;
  readonly #resolver: CommitResolver;

  constructor(options: CommitterOptions) {
    const { client, clock, marksPrefix, commitTimeoutMs, resolveTimeoutMs } = options;
    this.#options = options;
    // Shared by all waiting commits, and therefore not aborted by one of them.
    const call = () => this.#call(NEVER);
    this.#leases = new LeasePool(clock, (ttlSeconds) => client.grantLease(ttlSeconds, call()));
    const commitMs = commitTimeoutMs + 2 * resolveTimeoutMs + MARK_MARGIN_MS;
    this.#marks = new CommitMarks({ ...options, prefix: marksPrefix, commitMs, call });
    this.#resolver = new CommitResolver({ ...options, marks: this.#marks, timeoutMs: resolveTimeoutMs });
  }

  async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      let committed: Committed | typeof REFUSED;
      try {
        const mark = this.#marks.take() ?? (await this.#newMark(signal));
        committed =
          write.op !== 'delete' && write.ttlSeconds !== undefined
            ? await this.#commitWithTtl(write, { ttlSeconds: write.ttlSeconds, mark }, signal)
            : await this.#attempt(write, { mark, lease: undefined }, signal);
      } catch (error) {
        const isFull = error instanceof StoreError && error.code === 'full';
        if (write.op !== 'delete' || !isFull) throw error;
        return this.#deleteInFull(write, error, signal);
      }
      if (committed !== REFUSED) return committed;
    }
    throw new StoreError('unavailable', 'etcd: the leases of this server are revoked repeatedly');
  }

  /** A full etcd accepts deletions, but neither the mark nor other values. */
  async #deleteInFull(write: Write, full: StoreError, signal: AbortSignal): Promise<Committed> {
    const also = sideWritesOf(write)?.filter(({ value }) => value === undefined) ?? [];
    const deletion: Write & SideWrites = { ...write, also };
    const committed = await this.#attempt(deletion, { mark: undefined, lease: undefined }, signal);
    if (committed === REFUSED) throw full;
    return committed;
  }

  async #commitWithTtl(
    write: Write,
    { ttlSeconds, mark }: { readonly ttlSeconds: number; readonly mark: CommitMark | undefined },
    signal: AbortSignal,
  ): Promise<Committed | typeof REFUSED> {
    let lease: Lease;
    try {
      lease = await this.#lease(() => this.#leases.acquire(ttlSeconds), signal);
    } catch (error) {
      if (mark !== undefined) this.#marks.release(mark, mark.revision);
      throw error;
    }
    const committed = await this.#attempt(write, { mark, lease }, signal);
    const renews = committed !== REFUSED && committed.ok && this.#leases.expiresEarly(lease, ttlSeconds);
    if (renews) void this.#renew(lease);
    return committed;
  }

  /** A mark of a new group; undefined when marks are not allowed. */
  async #newMark(signal: AbortSignal): Promise<CommitMark | undefined> {
    for (let mark: CommitMark | undefined; ; mark = this.#marks.take()) {
      if (mark !== undefined || !this.#marks.isAllowed) return mark;
      await this.#lease(() => this.#marks.begin(), signal);
    }
  }

  async #lease<T>(obtain: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    try {
      return await abortable(obtain(), signal);
    } catch (error) {
      throw storeErrorOf(error);
    }
  }

  /** Renews a lease when a slow commit has consumed its reserve. If this fails, the key expires early. */
  async #renew(lease: Lease): Promise<void> {
    const sentAt = this.#options.clock.monotonic();
    try {
      const granted = await this.#options.client.renewLease(lease.id, this.#call(NEVER));
      if (granted.ttlSeconds > 0) this.#leases.renewed(lease, sentAt, granted.ttlSeconds);
    } catch {
      this.#leases.drop(lease);
    }
  }

  #attempt(write: Write, attempt: Attempt, signal: AbortSignal): Promise<Committed | typeof REFUSED> {
    return this.#send(write, attempt, signal).then(
      (response) => this.#onAnswered(write, attempt, response),
      (error: unknown) => this.#onFailed(write, attempt, { error, signal }),
    );
  }

  #send(write: Write, { mark, lease }: Attempt, signal: AbortSignal): Promise<CasResponse> {
    const { key, guards } = write;
    const also = sideWritesOf(write);
    const expected = expectedOf(write);
    const request =
      write.op === 'delete'
        ? { key, expected, guards, mark, also }
        : { key, expected, guards, mark, also, value: write.value, lease: lease?.id };
    return this.#options.client.compareAndSwap(request, this.#call(signal));
  }

  #call(signal: AbortSignal): CallOptions {
    return { timeoutMs: this.#options.commitTimeoutMs, signal };
  }

  #onAnswered(write: Write, { mark }: Attempt, response: CasResponse): Committed | typeof REFUSED {
    const { revision: rev, kv, succeeded } = response;
    this.#options.tracker.observe(rev);
    if (mark !== undefined) {
      if (!succeeded && (response.mark?.modRevision ?? 0) !== mark.revision) {
        this.#marks.giveUp(mark);
        return REFUSED;
      }
      this.#marks.release(mark, succeeded ? rev : mark.revision);
    }
    if (succeeded) return { ok: true, rev };
    // The key was read in the same transaction: if it is as expected, another compare failed.
    const { guards } = write;
    const failed =
      guards === undefined
        ? ({ ok: false, rev } as const)
        : ({ ok: false, rev, heldGuards: heldAmong(guards, response.others) } as const);
    if (guards !== undefined && (kv?.modRevision ?? 0) === expectedOf(write))
      return { ...failed, guardFailed: true };
    return kv === undefined ? failed : { ...failed, current: kv };
  }

  /** Determines the outcome of a write after a failed call. */
  async #onFailed(
    write: Write,
    { mark, lease }: Attempt,
    { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
  ): Promise<Committed | typeof REFUSED> {
    if (!isAmbiguous(error)) {
      if (mark !== undefined) this.#marks.release(mark, mark.revision);
      if (lease === undefined || refusalOf(error) !== 'leaseNotFound') throw storeErrorOf(error);
      // The lease was revoked. The write was refused, so another lease may be tried.
      this.#leases.drop(lease);
      return REFUSED;
    }
    if (mark === undefined) throw outcomeUnknown(error);
    const doubt = { write, mark, cause: error, answered: isQuotaExceeded(error) };
    const isOver = error instanceof RpcError && (error.failure === 'aborted' || error.failure === 'closed');
    if (!isOver) return this.#resolver.resolve(doubt, signal);
    // The caller has stopped waiting, or the store is closed. The mark is resolved in the background, for reuse.
    if (error.failure === 'aborted') void this.#resolver.resolve(doubt, NEVER).catch(() => undefined);
    throw outcomeUnknown(error);
  }
}

/** The keys of guards that were as expected. */
const heldAmong = (guards: readonly Guard[], read: CasResponse['others']): readonly string[] =>
  guards
    .filter((guard) => read.some((kv) => kv.key === guard.key && kv.modRevision === guard.revision))
    .map(({ key }) => key);

const NEVER = new AbortController().signal;
