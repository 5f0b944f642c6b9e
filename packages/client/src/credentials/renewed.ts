import { abortable, type Clock } from '@orch/machinery';
import { TlsListeners } from './listeners.ts';
import type { Credentials, Identity } from './types.ts';

/** What a search has found, and how long it is good for. */
export interface Found {
  readonly identity: Identity;
  /** Epoch milliseconds from which on it is not used any more; until it is rejected when absent. */
  readonly expiresAt?: number;
}

export interface RenewalOptions {
  readonly clock: Clock;
  /** Finds an identity or rejects with a CredentialError. Has a deadline of its own; never runs twice at a time. */
  readonly search: () => Promise<Found>;
  /** Found before the first search. */
  readonly initial?: Found;
  /** A rejected identity is kept when it is younger than that: a search would only find its like. 0 ms when absent. */
  readonly minAgeMs?: number;
}

/**
 * An identity that is searched for when there is none, when it has expired and when it was rejected. All who wait share
 * one search. It goes on when they give up waiting, since its result is of use to those who come next, and giving up a
 * renewal half way may lose what it has renewed.
 */
export class RenewedCredentials implements Credentials {
  readonly #options: RenewalOptions;
  readonly #listeners = new TlsListeners();
  #found: Found | undefined;
  #foundAt = Number.NEGATIVE_INFINITY;
  #searching: Promise<Identity> | undefined;
  /** Of the identity that was used last, also after that is forgotten; undefined before the first. */
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
    // Another one has taken its place, or will, since this one was rejected before.
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
    if (isChanged) this.#listeners.tell();
    return identity;
  }
}
