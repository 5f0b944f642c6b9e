import type { Clock } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import { TlsListeners } from './listeners.ts';
import type { Credentials, Identity } from './types.ts';

/** A found identity and its expiration. */
export interface Found {
  readonly identity: Identity;
  /** Expiration in epoch milliseconds; valid until rejected when absent. */
  readonly expiresAt?: number;
}

export interface RenewalOptions {
  readonly clock: Clock;
  /** Finds an identity or rejects with a CredentialError. Has its own deadline; never runs concurrently. */
  readonly search: () => Promise<Found>;
  /** The initial identity. */
  readonly initial?: Found;
  /** A rejected identity is kept when it is younger than this: a search would find the same. 0 ms when absent. */
  readonly minAgeMs?: number;
}

/**
 * An identity that is searched initially, after its expiration, and after a rejection. Concurrent callers share one search,
 * which continues when they abort: later callers need its result, and the interruption of a renewal may lose the renewed
 * credentials.
 */
export class RenewedCredentials implements Credentials {
  readonly #options: RenewalOptions;
  readonly #listeners = new TlsListeners();
  #found: Found | undefined;
  #foundAt = Number.NEGATIVE_INFINITY;
  #searching: Promise<Identity> | undefined;
  /** The identity that was used last, even if it was discarded since; undefined before the first use. */
  #last: { readonly tls: Identity['tls'] } | undefined;

  constructor(options: RenewalOptions) {
    this.#options = options;
    this.#found = options.initial;
  }

  async current(signal: AbortSignal): Promise<Identity> {
    signal.throwIfAborted();
    const found = this.#found;
    if (found !== undefined && this.#options.clock.now() < (found.expiresAt ?? Infinity))
      return this.#used(found.identity);
    this.#searching ??= this.#search().finally(() => {
      this.#searching = undefined;
    });
    return abortable(this.#searching, signal);
  }

  rejected(identity: Identity): boolean {
    // It was replaced, or is being replaced, because it was rejected before.
    if (this.#found?.identity !== identity) return true;
    const { clock, minAgeMs = 0 } = this.#options;
    if (clock.monotonic() - this.#foundAt < minAgeMs) return false;
    this.#found = undefined;
    return true;
  }

  onTlsChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async #search(): Promise<Identity> {
    const found = await this.#options.search();
    this.#found = found;
    this.#foundAt = this.#options.clock.monotonic();
    return this.#used(found.identity);
  }

  #used(identity: Identity): Identity {
    const last = this.#last;
    this.#last = { tls: identity.tls };
    const isChanged =
      last !== undefined && (last.tls?.cert !== identity.tls?.cert || last.tls?.key !== identity.tls?.key);
    if (isChanged) this.#listeners.notify();
    return identity;
  }
}
