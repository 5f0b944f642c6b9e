import { type Deferred, deferred, onAbort } from '@orch/machinery/concurrency';
import type { Refusal } from '../types.ts';
import type { QuotaRequest } from './demand.ts';
import type { Applicant, Charge } from './plan.ts';

/** A request that waits for the decision on its write, until its signal aborts. */
export class Waiter implements Applicant {
  readonly request: QuotaRequest;
  readonly charges = new Map<string, Charge>();
  readonly #decision: Deferred<Refusal | undefined> = deferred();
  readonly #unregister: () => void;

  constructor(request: QuotaRequest, signal: AbortSignal) {
    this.request = request;
    this.#unregister = onAbort(signal, () => this.#decision.reject(signal.reason));
  }

  get decision(): Promise<Refusal | undefined> {
    return this.#decision.promise;
  }

  get isGone(): boolean {
    return this.#decision.settled;
  }

  /** Admits the write, or refuses it. */
  settle(refusal: Refusal | undefined): void {
    this.#unregister();
    this.#decision.resolve(refusal);
  }

  fail(error: unknown): void {
    this.#unregister();
    this.#decision.reject(error);
  }
}
