import type { Quantity } from '@orch/machinery/quantity';
import { type Amounts, addTo, remainderOf } from '@orch/quota';
import type { Refusal } from '../types.ts';
import { demandOf, type QuotaRequest, shortage } from './demand.ts';
import type { QuotaState } from './quota-state.ts';

/** The amounts taken of a quota for a write that is not decided yet. */
export interface Charge {
  readonly amounts: Amounts;
  /** The revision of the quota with which it was taken. */
  readonly revision: number;
}

/** The charges of one write, by the name of the quota. */
export type Charges = ReadonlyMap<string, Charge>;

/** A write that waits for its decision. */
export interface Applicant {
  readonly request: QuotaRequest;
  /** The request was cancelled. */
  readonly isGone: boolean;
  readonly charges: Charges;
}

export interface Refused<A> {
  readonly applicant: A;
  readonly refusal: Refusal;
  /** The quota that refuses the write. */
  readonly quota: QuotaState;
}

/** The next usage of a quota. */
export interface QuotaWrite<A> {
  readonly quota: QuotaState;
  readonly used: Amounts;
  /** The amounts taken by each applicant. */
  readonly taken: ReadonlyMap<A, Amounts>;
  /** The charges that it returns. */
  readonly returned: readonly Charge[];
}

/** The result for the waiting writes, for one state of the quotas of a namespace. */
export interface Plan<A> {
  readonly refused: readonly Refused<A>[];
  /** Writes that need nothing more, or are cancelled. */
  readonly settled: readonly A[];
  /** All others are decided after these writes. */
  readonly writes: readonly QuotaWrite<A>[];
  /** Quotas to which amounts were not returned, because `calculatedBy` is not known. */
  readonly unclear: readonly QuotaState[];
}

/** The usage of one quota while writes are decided one after another. */
class Draft<A extends Applicant> {
  readonly quota: QuotaState;
  readonly taken = new Map<A, Amounts>();
  readonly #used: Map<string, Quantity>;
  readonly #returned: Charge[] = [];
  #isUnclear = false;

  constructor(quota: QuotaState) {
    this.quota = quota;
    this.#used = new Map(quota.used);
  }

  demand(applicant: A): Amounts | Refusal {
    const demand = demandOf(this.quota, applicant.request);
    if (typeof demand === 'string' || demand.size === 0) return demand;
    return shortage(this.quota, this.#used, demand) ?? demand;
  }

  take(applicant: A, amounts: Amounts): void {
    addTo(this.#used, amounts);
    this.taken.set(applicant, amounts);
  }

  get isUnclear(): boolean {
    return this.#isUnclear;
  }

  /** Returns charges, unless others than admission may have calculated the usage without them meanwhile. */
  refund(charges: Charges): void {
    const { name, calculatedBy } = this.quota;
    const charge = charges.get(name);
    if (charge === undefined) return;
    if (calculatedBy === undefined) this.#isUnclear = true;
    if (calculatedBy === undefined || charge.revision <= calculatedBy) return;
    for (const [bound, rest] of remainderOf(this.#used, charge.amounts)) this.#used.set(bound, rest);
    this.#returned.push(charge);
  }

  write(): readonly QuotaWrite<A>[] {
    const { quota, taken } = this;
    const returned = this.#returned;
    return taken.size > 0 || returned.length > 0 ? [{ quota, used: this.#used, taken, returned }] : [];
  }
}

/**
 * Decides on writes in order, each with the amounts that the previous ones take of the quotas of the namespace. Amounts
 * in `returned` are available to all of them.
 */
export function planOf<A extends Applicant>(
  quotas: readonly QuotaState[],
  applicants: readonly A[],
  returned: readonly Charges[] = [],
): Plan<A> {
  const drafts = quotas.map((quota) => new Draft<A>(quota));
  for (const charges of returned) for (const draft of drafts) draft.refund(charges);
  const refused: Refused<A>[] = [];
  const settled: A[] = [];
  for (const applicant of applicants) {
    const outcome = applicant.isGone ? 'gone' : apply(drafts, applicant);
    if (outcome === 'open') continue;
    if (outcome === 'settled') {
      settled.push(applicant);
      continue;
    }
    for (const draft of drafts) draft.refund(applicant.charges);
    if (outcome === 'gone') settled.push(applicant);
    else refused.push(outcome);
  }
  const unclear = drafts.filter((draft) => draft.isUnclear).map(({ quota }) => quota);
  return { refused, settled, writes: drafts.flatMap((draft) => draft.write()), unclear };
}

/** Takes what a write needs of all quotas, or nothing. */
function apply<A extends Applicant>(
  drafts: readonly Draft<A>[],
  applicant: A,
): Refused<A> | 'settled' | 'open' {
  const demands: [Draft<A>, Amounts][] = [];
  for (const draft of drafts) {
    if (applicant.charges.has(draft.quota.name)) continue;
    const demand = draft.demand(applicant);
    if (typeof demand === 'string') return { applicant, refusal: demand, quota: draft.quota };
    if (demand.size > 0) demands.push([draft, demand]);
  }
  if (applicant.request.dryRun || demands.length === 0) return 'settled';
  for (const [draft, amounts] of demands) draft.take(applicant, amounts);
  return 'open';
}
