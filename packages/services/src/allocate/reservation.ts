import type { Logger } from '@orch/machinery';
import type { PendingWrite } from '@orch/registry';
import type { Allocator } from './allocator.ts';
import type { Claim, Owner } from './claims.ts';

/** What came of asking for one value. */
export type Outcome = 'held' | 'outside' | 'taken';

/** Where a service gets values from, in earnest or for show. */
export interface Source {
  take(from: Allocator, value: string): Promise<Outcome>;
  /** Undefined when the range is full. */
  takeAny(from: Allocator): Promise<string | undefined>;
}

/** The claims that one write of one service takes, and those that it makes needless. */
export class Reservation implements Source, PendingWrite {
  readonly #owner: Owner;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  readonly #taken: { readonly from: Allocator; readonly claim: Claim }[] = [];
  readonly #obsolete: { readonly from: Allocator; readonly claim: Claim }[] = [];

  constructor(options: { readonly owner: Owner; readonly log: Logger; readonly signal: AbortSignal }) {
    this.#owner = options.owner;
    this.#log = options.log;
    this.#signal = options.signal;
  }

  async take(from: Allocator, value: string): Promise<Outcome> {
    if (from.range.offsetOf(value) === undefined) return 'outside';
    const claim = await from.take(value, this.#owner, this.#signal);
    if (claim === undefined) return 'taken';
    this.#taken.push({ from, claim });
    return 'held';
  }

  async takeAny(from: Allocator): Promise<string | undefined> {
    const claim = await from.takeAny(this.#owner, this.#signal);
    if (claim !== undefined) this.#taken.push({ from, claim });
    return claim?.value;
  }

  /** Remembers the claim of a value that the service has no use for after this write. */
  async dropAfterwards(from: Allocator, value: string): Promise<void> {
    const claim = await from.find(value, this.#signal);
    if (claim?.owner?.uid === this.#owner.uid) this.#obsolete.push({ from, claim });
  }

  get isEmpty(): boolean {
    return this.#taken.length === 0 && this.#obsolete.length === 0;
  }

  finish(success: boolean): Promise<void> {
    return this.#release(success ? this.#obsolete : this.#taken);
  }

  async #release(held: readonly { readonly from: Allocator; readonly claim: Claim }[]): Promise<void> {
    for (const from of new Set(held.map((one) => one.from))) {
      const claims = held.filter((one) => one.from === from).map(({ claim }) => claim);
      const kept = await from.release(claims);
      if (kept.length === 0) continue;
      const values = kept.map(({ value }) => value);
      this.#log.warn('values of a service could not be given back; the repair will', {
        namespace: this.#owner.namespace,
        service: this.#owner.name,
        values,
      });
    }
  }
}

/** Shows what a reservation could give, and takes nothing. What a client asks for is not looked at (facts: validation, Service). */
export class Rehearsal implements Source {
  readonly #shown = new Set<string>();

  async take(_from: Allocator, value: string): Promise<Outcome> {
    this.#shown.add(value);
    return 'held';
  }

  async takeAny(from: Allocator): Promise<string | undefined> {
    const value = from.suggest(this.#shown);
    if (value !== undefined) this.#shown.add(value);
    return value;
  }
}
