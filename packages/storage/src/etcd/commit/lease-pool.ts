import type { Clock } from '@orch/machinery';

/** A lease that keys may be attached to. `id` is in etcd's encoding. */
export interface Lease {
  readonly id: Buffer;
  /** Monotonic time in milliseconds; etcd does not expire the lease before it. */
  expiresAt: number;
  /** Number of keys attached to it. */
  keys: number;
}

/** Requests a lease of etcd; resolves with its identifier and the ttl that etcd chose. */
export type GrantLease = (
  ttlSeconds: number,
) => Promise<{ readonly id: Buffer; readonly ttlSeconds: number }>;

/** Maximum number of keys of a lease: all of them are deleted in one revision. */
const MAX_KEYS = 1000;
const MAX_LEASES = 64;
/** Share of the ttl by which a key may expire later, so that keys written in that time share a lease. */
const SHARED_FRACTION = 0.05;
const MAX_EXTRA_SECONDS = 300;
/** Maximum duration of a commit without a renewal of its lease. */
const COMMIT_MARGIN_MS = 250;

/**
 * Leases shared by keys of similar expiry, so that ten thousand events with a ttl of an hour need a dozen leases, not
 * ten thousand. A key never expires before its ttl, and later by at most the larger of a second and 5 % (plus half a
 * second of etcd).
 */
export class LeasePool {
  readonly #clock: Clock;
  readonly #grant: GrantLease;
  readonly #leases: Lease[] = [];
  readonly #granting = new Map<number, Promise<Lease>>();

  constructor(clock: Clock, grant: GrantLease) {
    this.#clock = clock;
    this.#grant = grant;
  }

  /** A lease for a key that is written now. Rejects with the error of the grant. */
  async acquire(ttlSeconds: number): Promise<Lease> {
    for (;;) {
      const lease = this.#find(ttlSeconds) ?? (await this.#obtain(ttlSeconds));
      // Other keys that waited for the same lease may have filled it.
      if (lease.keys >= MAX_KEYS) continue;
      lease.keys++;
      return lease;
    }
  }

  /** Reports whether a key that was written with `ttlSeconds`, at the latest now, would expire too early. */
  expiresEarly(lease: Lease, ttlSeconds: number): boolean {
    return lease.expiresAt - this.#clock.monotonic() < ttlSeconds * 1000;
  }

  /** The lease was renewed by a request sent at `sentAt` (monotonic). */
  renewed(lease: Lease, sentAt: number, ttlSeconds: number): void {
    lease.expiresAt = sentAt + ttlSeconds * 1000;
  }

  /** The lease no longer exists: it must not be reused. */
  drop(lease: Lease): void {
    const index = this.#leases.indexOf(lease);
    if (index >= 0) this.#leases.splice(index, 1);
  }

  #find(ttlSeconds: number): Lease | undefined {
    const now = this.#clock.monotonic();
    const earliest = now + ttlSeconds * 1000 + COMMIT_MARGIN_MS;
    const latest = now + (ttlSeconds + extraSeconds(ttlSeconds)) * 1000;
    return this.#leases.find(
      (lease) => lease.keys < MAX_KEYS && lease.expiresAt >= earliest && lease.expiresAt <= latest,
    );
  }

  /** One request for all keys that need the same lease at the same time. */
  #obtain(ttlSeconds: number): Promise<Lease> {
    const seconds = Math.ceil(ttlSeconds) + extraSeconds(ttlSeconds);
    const known = this.#granting.get(seconds);
    if (known !== undefined) return known;
    const pending = this.#request(seconds).finally(() => this.#granting.delete(seconds));
    this.#granting.set(seconds, pending);
    return pending;
  }

  async #request(seconds: number): Promise<Lease> {
    const sentAt = this.#clock.monotonic();
    const granted = await this.#grant(seconds);
    const lease: Lease = { id: granted.id, expiresAt: sentAt + granted.ttlSeconds * 1000, keys: 0 };
    if (this.#leases.length >= MAX_LEASES) this.#leases.shift();
    this.#leases.push(lease);
    return lease;
  }
}

function extraSeconds(ttlSeconds: number): number {
  return Math.min(MAX_EXTRA_SECONDS, Math.max(1, Math.ceil(ttlSeconds * SHARED_FRACTION)));
}
