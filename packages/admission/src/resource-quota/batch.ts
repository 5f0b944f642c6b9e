import type { KnownQuotas } from './known-quotas.ts';
import { type Charges, planOf, type QuotaWrite } from './plan.ts';
import { type QuotaState, quotaState, withUsage } from './quota-state.ts';
import type { QuotaStore, StoredQuota } from './quota-store.ts';
import type { Waiter } from './waiter.ts';

export interface BatchParts {
  readonly known: KnownQuotas;
  readonly store: QuotaStore;
}

/** The dependencies of a batch. */
export interface BatchWork {
  readonly waiters: readonly Waiter[];
  /** Charges of writes that were not stored. Each is released once, or left to the quota controller. */
  readonly returned: readonly Charges[];
}

/**
 * Decides on writes that wait at the same time in one namespace, with one update of each quota for all of them. A write
 * is admitted after every quota that limits it was updated for it, from the state on which the decision was based. It
 * is refused only by a state that was read from the store, or written, during the batch.
 */
export class Batch {
  readonly #known: KnownQuotas;
  readonly #store: QuotaStore;
  readonly #namespace: string;
  #open: readonly Waiter[];
  #returned: Charges[];
  /** Minimum revisions of quotas in the store during the batch, by name; undefined for deleted ones. */
  readonly #verified = new Map<string, number | undefined>();

  constructor({ known, store }: BatchParts, namespace: string, { waiters, returned }: BatchWork) {
    this.#known = known;
    this.#store = store;
    this.#namespace = namespace;
    this.#open = waiters;
    this.#returned = [...returned];
  }

  /** Resolves when all writes are decided. Rejects when the store fails: the undecided writes must fail, too. */
  async run(signal: AbortSignal): Promise<void> {
    while (this.#open.length > 0 || this.#returned.length > 0) {
      const plan = planOf(this.#quotas(), this.#open, this.#returned);
      const doubtful = new Set(
        plan.refused.map(({ quota }) => quota).filter((quota) => !this.#isVerified(quota)),
      );
      if (doubtful.size > 0 || plan.unclear.length > 0) {
        await Promise.all([...doubtful].map((quota) => this.#read(quota, signal)));
        await Promise.all(plan.unclear.map((quota) => this.#clarify(quota, signal)));
        continue;
      }
      for (const { applicant, refusal } of plan.refused) applicant.settle(refusal);
      for (const waiter of plan.settled) waiter.settle(undefined);
      this.#open = this.#open.filter((waiter) => !waiter.isGone);
      this.#returned = [];
      const written = await Promise.allSettled(plan.writes.map((write) => this.#write(write, signal)));
      for (const result of written) if (result.status === 'rejected') throw result.reason;
    }
  }

  #quotas(): readonly QuotaState[] {
    return this.#known
      .in(this.#namespace)
      .filter(({ name }) => !this.#verified.has(name) || this.#verified.get(name) !== undefined);
  }

  #isVerified({ name, revision }: QuotaState): boolean {
    const least = this.#verified.get(name);
    return least !== undefined && revision >= least;
  }

  async #read(quota: QuotaState, signal: AbortSignal): Promise<void> {
    this.#learn(quota, await this.#store.read(quota, signal));
  }

  /** Finds out which charges the usage of the quota certainly contains. */
  async #clarify(quota: QuotaState, signal: AbortSignal): Promise<void> {
    const calculatedBy = (await this.#store.calculatedBy(quota, signal)) ?? quota.revision;
    this.#known.learn({ ...quota, calculatedBy });
  }

  #learn({ name }: QuotaState, stored: StoredQuota | undefined): void {
    this.#verified.set(name, stored?.revision);
    if (stored !== undefined) this.#known.learn(quotaState(stored.object, stored.revision));
  }

  async #write({ quota, used, taken, returned }: QuotaWrite<Waiter>, signal: AbortSignal): Promise<void> {
    const object = withUsage(quota, used);
    const replaced = await this.#store.replace(quota, { object, revision: quota.revision }, signal);
    switch (replaced.outcome) {
      case 'replaced':
        for (const [waiter, amounts] of taken)
          waiter.charges.set(quota.name, { amounts, revision: replaced.revision });
        this.#verified.set(quota.name, replaced.revision);
        this.#known.learn({ ...quota, object, used, revision: replaced.revision });
        return;
      case 'conflict':
        this.#returned.push(...returned.map((charge) => new Map([[quota.name, charge]])));
        this.#learn(quota, replaced.current);
        return;
      // Quota with an unknown outcome remains charged: it is charged again, and the controller corrects the usage.
      case 'unknown':
        await this.#read(quota, signal);
        return;
    }
  }
}
