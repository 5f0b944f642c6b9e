import { type Clock, DeadlineExceeded, errors, withDeadline } from '@orch/machinery';
import type { Refusal } from '../types.ts';
import { Batch, type BatchParts } from './batch.ts';
import type { QuotaRequest } from './demand.ts';
import { Waiter } from './waiter.ts';

/** Writes that may wait in one namespace. */
const MAX_WAITING = 1000;
/** A batch ends after this time even if the quotas are changed by others all the time. */
const BATCH_MS = 10_000;

export interface ReservationParts extends BatchParts {
  readonly clock: Clock;
}

interface Queue {
  waiting: Waiter[];
}

/**
 * Takes quota for writes. The writes of a namespace are decided in batches: while one batch updates the quotas, the next
 * one is collected. A cancelled request stops waiting; what was taken for it already remains taken until the controller of
 * quotas calculates the usage again.
 */
export class QuotaReservations {
  readonly #parts: ReservationParts;
  /** Namespaces with a running batch. */
  readonly #queues = new Map<string, Queue>();

  constructor(parts: ReservationParts) {
    this.#parts = parts;
  }

  /**
   * Undefined when the quotas of the namespace were updated for the write. Rejects with an `ApiError` 429 when too many
   * writes wait, 504 when there is no decision in time; with the failure of the store; with the reason of the signal.
   */
  reserve(request: QuotaRequest, signal: AbortSignal): Promise<Refusal | undefined> {
    const { namespace } = request;
    const queue = this.#queues.get(namespace) ?? { waiting: [] };
    if (queue.waiting.length >= MAX_WAITING)
      return Promise.reject(errors.tooManyRequests('too many requests wait for the quotas of the namespace'));
    const waiter = new Waiter(request, signal);
    queue.waiting.push(waiter);
    if (!this.#queues.has(namespace)) {
      this.#queues.set(namespace, queue);
      void this.#run(namespace, queue);
    }
    return waiter.decision;
  }

  async #run(namespace: string, queue: Queue): Promise<void> {
    // Requests that arrive together are decided together.
    await Promise.resolve();
    while (queue.waiting.length > 0) {
      const waiters = queue.waiting;
      queue.waiting = [];
      await this.#decide(namespace, waiters);
    }
    this.#queues.delete(namespace);
  }

  async #decide(namespace: string, waiters: readonly Waiter[]): Promise<void> {
    using deadline = withDeadline(never, this.#parts.clock, BATCH_MS);
    try {
      await new Batch(this.#parts, namespace, waiters).run(deadline.signal);
    } catch (error) {
      const failure =
        error instanceof DeadlineExceeded ? errors.timeout('resource quota evaluation timed out', 1) : error;
      for (const waiter of waiters) waiter.fail(failure);
    }
  }
}

const never = new AbortController().signal;
