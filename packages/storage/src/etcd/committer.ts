import type { Clock } from '@orch/machinery';
import type { Committed, Revision, Store, Write } from '../store.ts';
import { outcomeUnknown, resolveDoubt } from './commit-resolution.ts';
import type { EtcdClient } from './etcd-client.ts';
import { isAmbiguous, isQuotaExceeded, refusalOf, storeErrorOf } from './etcd-error.ts';
import { type Lease, LeasePool } from './lease-pool.ts';
import type { CasResponse } from './proto/txn.ts';
import type { RevisionTracker } from './revision-tracker.ts';
import { RpcError } from './rpc/status.ts';
import type { CallOptions } from './rpc/unary-call.ts';

export interface CommitterOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly tracker: RevisionTracker;
  /** Reads by which an ambiguous commit is decided. */
  readonly reads: Pick<Store, 'get' | 'watch'>;
  readonly commitTimeoutMs: number;
  /** How long an ambiguous commit may stay undecided. */
  readonly resolveTimeoutMs: number;
}

/** Writes: one transaction each, sent once. */
export class Committer {
  readonly #options: CommitterOptions;
  readonly #leases: LeasePool;

  constructor(options: CommitterOptions) {
    this.#options = options;
    this.#leases = new LeasePool(options.clock, (ttlSeconds) =>
      // Shared by all commits that wait for it, and therefore not aborted by any of them.
      options.client.grantLease(ttlSeconds, this.#call(new AbortController().signal)),
    );
  }

  async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    if (write.op !== 'delete' && write.ttlSeconds !== undefined) {
      return this.#commitWithTtl(write, write.ttlSeconds, signal);
    }
    const sentAfter = this.#options.tracker.latest;
    try {
      return this.#committed(write, await this.#send(write, undefined, signal));
    } catch (error) {
      return this.#decide(write, sentAfter, { error, signal });
    }
  }

  async #commitWithTtl(write: Write, ttlSeconds: number, signal: AbortSignal): Promise<Committed> {
    for (let attempt = 1; ; attempt++) {
      const lease = await this.#acquire(ttlSeconds, signal);
      const sentAfter = this.#options.tracker.latest;
      let committed: Committed;
      try {
        committed = this.#committed(write, await this.#send(write, lease, signal));
      } catch (error) {
        if (refusalOf(error) === 'leaseNotFound' && attempt === 1) {
          // Somebody revoked it. The write was refused, so another lease may be tried.
          this.#leases.drop(lease);
          continue;
        }
        committed = await this.#decide(write, sentAfter, { error, signal });
      }
      if (committed.ok && this.#leases.expiresEarly(lease, ttlSeconds)) void this.#renew(lease);
      return committed;
    }
  }

  async #acquire(ttlSeconds: number, signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted();
    try {
      return await this.#leases.acquire(ttlSeconds);
    } catch (error) {
      throw storeErrorOf(error);
    }
  }

  /** A commit that took long has used up the time that its lease had to spare. When this fails the ttl comes early. */
  async #renew(lease: Lease): Promise<void> {
    const sentAt = this.#options.clock.monotonic();
    try {
      const granted = await this.#options.client.renewLease(
        lease.id,
        this.#call(new AbortController().signal),
      );
      if (granted.ttlSeconds > 0) this.#leases.renewed(lease, sentAt, granted.ttlSeconds);
    } catch {
      this.#leases.drop(lease);
    }
  }

  #send(write: Write, lease: Lease | undefined, signal: AbortSignal): Promise<CasResponse> {
    const { key, guard } = write;
    const expected = expectedOf(write);
    const request =
      write.op === 'delete'
        ? { key, expected, guard }
        : lease === undefined
          ? { key, expected, guard, value: write.value }
          : { key, expected, guard, value: write.value, lease: lease.id };
    return this.#options.client.compareAndSwap(request, this.#call(signal));
  }

  #call(signal: AbortSignal): CallOptions {
    return { timeoutMs: this.#options.commitTimeoutMs, signal };
  }

  #committed(write: Write, response: CasResponse): Committed {
    const { revision: rev, kv } = response;
    this.#options.tracker.observe(rev);
    if (response.succeeded) return { ok: true, rev };
    // The key was read in the same transaction: if it is as expected, then the other compare is what failed.
    if (write.guard !== undefined && (kv?.modRevision ?? 0) === expectedOf(write)) {
      return { ok: false, rev, guardFailed: true };
    }
    return kv === undefined ? { ok: false, rev } : { ok: false, rev, current: kv };
  }

  /** Turns a failed call into what became of the write. */
  async #decide(
    write: Write,
    sentAfter: Revision,
    failed: { readonly error: unknown; readonly signal: AbortSignal },
  ): Promise<Committed> {
    const { error, signal } = failed;
    if (!isAmbiguous(error)) throw storeErrorOf(error);
    // The caller does not wait any longer, or the store is closed: there is nobody to find it out for.
    if (error instanceof RpcError && (error.failure === 'aborted' || error.failure === 'closed')) {
      throw outcomeUnknown(error);
    }
    const { clock, reads, resolveTimeoutMs: timeoutMs } = this.#options;
    const doubt = { write, sentAfter, cause: error, settled: isQuotaExceeded(error) };
    return resolveDoubt({ clock, reads, timeoutMs }, doubt, signal);
  }
}

/** The revision that the key is to have, 0 when it is to be absent. */
const expectedOf = (write: Write): Revision => (write.op === 'create' ? 0 : write.expected);
