import { ApiError, type Env, type Fence, microTimeOf, withDeadline } from '@orch/machinery';
import { isConflict, isNotFound } from '../objects/retry-on-conflict.ts';
import type { Client } from '../rest/client.ts';
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

/** A record as it was seen, and when that was first, by this machine's monotonic clock. */
interface Observed {
  readonly lease: Lease;
  readonly record: LeaseRecord;
  readonly since: number;
}

/** A write that succeeded: when it was sent, and the fence of the leadership. */
export interface Held {
  readonly sentAt: number;
  readonly fence: Fence;
}

/**
 * One Lease, as seen and written by one candidate. Times in records are never compared with a clock: a record that has
 * not changed for its whole duration, as watched from here, belongs to nobody any more.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #client: ResourceClient<Lease>;
  #observed: Observed | undefined;
  /**
   * Writes whose outcome is not known, the last few, with the time at which they were sent. One may turn out to have been
   * carried out long after: what the Lease says then is this candidate's, as of when it was sent.
   */
  #unknown: { readonly record: LeaseRecord; readonly sentAt: number }[] = [];

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#client = options.client.resource<Lease>(leases(options.client.names), options.namespace);
  }

  /** Who holds it as far as is known; empty: nobody. */
  get holder(): string {
    return this.#observed?.record.holderIdentity ?? '';
  }

  /** Takes the Lease when it is free. Undefined: it is another's. Rejects when that could not be found out. */
  async acquire(signal: AbortSignal): Promise<Held | undefined> {
    const lease = await this.#read(signal);
    const settled = this.#settled(lease);
    if (settled !== undefined) return settled;
    if (lease === undefined) {
      // A Lease that somebody deleted while its holder worked does not end the holder's time.
      if (this.#observed !== undefined && !this.#isFree(this.#observed)) return undefined;
      return await this.#write(undefined, this.#firstRecord(0), signal);
    }
    const observed = this.#observe(lease);
    if (!this.#isFree(observed)) return undefined;
    const transitions = (observed.record.leaseTransitions ?? 0) + 1;
    return await this.#write(lease, this.#firstRecord(transitions), signal);
  }

  /** Renews a Lease that is held. Undefined: it is another's by now. Rejects when that could not be found out. */
  async renew(signal: AbortSignal): Promise<Held | undefined> {
    const held = this.#observed;
    if (held === undefined) return undefined;
    try {
      // After a write of unknown outcome it is better to look: a blind one would meet a conflict with it.
      if (this.#unknown.length === 0) {
        return await this.#write(held.lease, this.#renewed(held.record), signal);
      }
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    // Somebody may have written in between. That ends the leadership unless it is still the same one.
    const lease = await this.#read(signal);
    const settled = this.#settled(lease);
    if (settled !== undefined) return settled;
    if (lease === undefined || !isSameTerm(recordOf(lease), held.record)) return undefined;
    this.#observe(lease);
    return await this.#write(lease, this.#renewed(held.record), signal);
  }

  /** Gives the Lease up, so that others need not wait for its end. */
  async release(signal: AbortSignal): Promise<void> {
    const held = this.#observed;
    if (held === undefined) return;
    const record = { ...this.#renewed(held.record), holderIdentity: '', leaseDurationSeconds: 1 };
    try {
      await this.#send(held.lease, record, signal);
    } catch (error) {
      if (!isConflict(error)) throw error;
      // Perhaps by the last renewal, whose answer nobody waited for.
      const lease = await this.#read(signal);
      if (lease !== undefined && isSameTerm(recordOf(lease), held.record)) {
        await this.#send(lease, record, signal);
      }
    }
  }

  /** Whether a write whose outcome was unknown turns out to be what the Lease says. */
  #settled(lease: Lease | undefined): Held | undefined {
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
      // What the server refused is known not to be written, but for what it says of its own failures.
      const isKnown = error instanceof ApiError && error.status.code < 500;
      if (!isKnown) this.#unknown = [...this.#unknown.slice(1 - MAX_UNKNOWN), { record, sentAt }];
      throw error;
    }
  }

  async #send(before: Lease | undefined, record: LeaseRecord, signal: AbortSignal): Promise<Lease> {
    const { env, namespace, name, requestTimeoutMs } = this.#options;
    using deadline = withDeadline(signal, env.clock, requestTimeoutMs);
    if (before === undefined) {
      return await this.#client.create({ metadata: { name, namespace }, spec: record }, {}, deadline.signal);
    }
    // The resourceVersion of what was read makes the write fail when anybody has written since.
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
    const known = this.#observed;
    const isKnown = known !== undefined && isSameRecord(known.record, record);
    const since = isKnown ? known.since : this.#options.env.clock.monotonic();
    this.#observed = { lease, record, since };
    return this.#observed;
  }

  /** Held by nobody, or not renewed for as long as its holder or this candidate takes a Lease to last. */
  #isFree({ record, since }: Observed): boolean {
    if (record.holderIdentity === '') return true;
    const durationMs = Math.max((record.leaseDurationSeconds ?? 0) * 1000, this.#options.leaseDurationMs);
    return this.#options.env.clock.monotonic() - since >= durationMs;
  }

  #now(): string {
    const { clock, random } = this.#options.env;
    // The microseconds tell apart what two processes that share an identity by mistake write in one millisecond.
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
