import { ApiError, type Env, type Fence } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { microTimeOf } from '@orch/machinery/time';
import type { Client } from '../client.ts';
import { isConflict, isNotFound } from '../errors/guards.ts';
import type { ResourceClient } from '../rest/types.ts';
import { isSameRecord, isSameTerm, type Lease, type LeaseRecord, leases, recordOf } from './lease-record.ts';

export interface LeaseKeeperOptions {
  readonly client: Client;
  readonly env: Env;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly requestTimeoutMs: number;
}

const MAX_UNKNOWN = 8;

/** A record with the time of its first observation, by the monotonic clock of this machine. */
interface Observed {
  readonly lease: Lease;
  readonly record: LeaseRecord;
  readonly since: number;
}

/** A successful write: when it was sent, and the fence of the leadership. */
export interface Held {
  readonly sentAt: number;
  readonly fence: Fence;
}

/**
 * One Lease, as observed and written by one candidate. Times in records are never compared with a clock: a record has
 * expired when it was observed without change for its whole duration.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #client: ResourceClient<Lease>;
  #observed: Observed | undefined;
  /**
   * The last few writes with an unknown outcome, with the times at which they were sent. One of them may be processed much
   * later: then the Lease is held by this candidate as of the time at which that write was sent.
   */
  #unknown: { readonly record: LeaseRecord; readonly sentAt: number }[] = [];

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#client = options.client.resource<Lease>(leases(options.client.names), options.namespace);
  }

  /** The observed holder; empty without one. */
  get holder(): string {
    return this.#observed?.record.holderIdentity ?? '';
  }

  /** Acquires the Lease if it is free. Undefined: it has another holder. Rejects when the outcome is unknown. */
  async acquire(signal: AbortSignal): Promise<Held | undefined> {
    const lease = await this.#read(signal);
    const confirmed = this.#confirmed(lease);
    if (confirmed !== undefined) return confirmed;
    if (lease === undefined) {
      // The deletion of a Lease does not end the term of its holder.
      if (this.#observed !== undefined && !this.#isFree(this.#observed)) return undefined;
      return await this.#write(undefined, this.#firstRecord(0), signal);
    }
    const observed = this.#observe(lease);
    if (!this.#isFree(observed)) return undefined;
    const transitions = (observed.record.leaseTransitions ?? 0) + 1;
    return await this.#write(lease, this.#firstRecord(transitions), signal);
  }

  /** Renews a held Lease. Undefined: it has another holder. Rejects when the outcome is unknown. */
  async renew(signal: AbortSignal): Promise<Held | undefined> {
    const held = this.#observed;
    if (held === undefined) return undefined;
    try {
      // After a write with an unknown outcome the Lease is read first, because an update would cause a conflict.
      if (this.#unknown.length === 0) {
        return await this.#write(held.lease, this.#renewed(held.record), signal);
      }
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    // After a concurrent write the leadership continues only if the record is still that of this term.
    const lease = await this.#read(signal);
    const confirmed = this.#confirmed(lease);
    if (confirmed !== undefined) return confirmed;
    if (lease === undefined || !isSameTerm(recordOf(lease), held.record)) return undefined;
    this.#observe(lease);
    return await this.#write(lease, this.#renewed(held.record), signal);
  }

  /** Releases the Lease, so that other candidates need not wait for its expiration. */
  async release(signal: AbortSignal): Promise<void> {
    const held = this.#observed;
    if (held === undefined) return;
    const record = { ...this.#renewed(held.record), holderIdentity: '', leaseDurationSeconds: 1 };
    try {
      await this.#send(held.lease, record, signal);
    } catch (error) {
      if (!isConflict(error)) throw error;
      // Possibly by the last renewal, whose response was not awaited.
      const lease = await this.#read(signal);
      if (lease !== undefined && isSameTerm(recordOf(lease), held.record)) {
        await this.#send(lease, record, signal);
      }
    }
  }

  /** The held Lease, if the record is that of a write with an unknown outcome. */
  #confirmed(lease: Lease | undefined): Held | undefined {
    if (lease === undefined) return undefined;
    const record = recordOf(lease);
    const own = this.#unknown.find((write) => isSameRecord(write.record, record));
    if (own === undefined) return undefined;
    this.#unknown = [];
    this.#observe(lease);
    return { sentAt: own.sentAt, fence: this.#fence(lease) };
  }

  async #write(before: Lease | undefined, record: LeaseRecord, signal: AbortSignal): Promise<Held> {
    const sentAt = this.#options.env.clock.monotonic();
    try {
      const lease = await this.#send(before, record, signal);
      this.#unknown = [];
      this.#observe(lease);
      return { sentAt, fence: this.#fence(lease) };
    } catch (error) {
      // A rejected write was certainly not processed, except for internal errors of the server.
      const isSame = error instanceof ApiError && error.status.code < 500;
      if (!isSame) this.#unknown = [...this.#unknown.slice(1 - MAX_UNKNOWN), { record, sentAt }];
      throw error;
    }
  }

  async #send(before: Lease | undefined, record: LeaseRecord, signal: AbortSignal): Promise<Lease> {
    const { env, namespace, name, requestTimeoutMs } = this.#options;
    using deadline = withDeadline(signal, env.clock, requestTimeoutMs);
    if (before === undefined) {
      return await this.#client.create({ metadata: { name, namespace }, spec: record }, {}, deadline.signal);
    }
    // With the resourceVersion of the read object the write fails after any concurrent write.
    const next = { ...before, spec: { ...before.spec, ...record } };
    return await this.#client.update(next, {}, deadline.signal);
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { env, name, requestTimeoutMs } = this.#options;
    using deadline = withDeadline(signal, env.clock, requestTimeoutMs);
    try {
      return await this.#client.get(name, {}, deadline.signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #observe(lease: Lease): Observed {
    const record = recordOf(lease);
    const observed = this.#observed;
    const isSame = observed !== undefined && isSameRecord(observed.record, record);
    const since = isSame ? observed.since : this.#options.env.clock.monotonic();
    this.#observed = { lease, record, since };
    return this.#observed;
  }

  /** Without a holder, or not renewed for the duration of its holder or of this candidate. */
  #isFree({ record, since }: Observed): boolean {
    if (record.holderIdentity === '') return true;
    const durationMs = Math.max((record.leaseDurationSeconds ?? 0) * 1000, this.#options.leaseDurationMs);
    return this.#options.env.clock.monotonic() - since >= durationMs;
  }

  #now(): string {
    const { clock, random } = this.#options.env;
    // Microseconds distinguish writes of two processes with the same identity within one millisecond.
    return microTimeOf(Math.floor(clock.now()) + random.int(1000) / 1000);
  }

  #firstRecord(leaseTransitions: number): LeaseRecord {
    const { identity, leaseDurationMs } = this.#options;
    const now = this.#now();
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
      acquireTime: now,
      renewTime: now,
      leaseTransitions,
    };
  }

  #renewed(record: LeaseRecord): LeaseRecord {
    return { ...record, renewTime: this.#now() };
  }

  #fence(lease: Lease): Fence {
    const { namespace, name, identity } = this.#options;
    const uid = lease.metadata.uid ?? '';
    return { namespace, name, uid, holder: identity, transitions: lease.spec?.leaseTransitions ?? 0 };
  }
}
