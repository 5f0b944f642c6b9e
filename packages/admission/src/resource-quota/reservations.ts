import { type Clock, errors } from '@orch/machinery';
import { DeadlineExceeded, withDeadline } from '@orch/machinery/concurrency';
import type { Refusal, ReleaseTaken } from '../types.ts';
import { Batch, type BatchParts } from './batch.ts';
import type { QuotaRequest } from './demand.ts';
import type { Charges } from './plan.ts';
import { Waiter } from './waiter.ts';

/** Maximum number of writes that wait in one namespace. */
const MAX_WAITING = 1000;
/** Time limit of a batch, even if the quotas are changed by others continuously. */
const BATCH_MS = 10_000;

export interface ReservationParts extends BatchParts {
  readonly clock: Clock;
}

interface Queue {
  waiting: Waiter[];
  returned: Returned[];
}

/** The charges of a write that was not stored. */
interface Returned {
  readonly charges: Charges;
  /** Called after the release, whether or not it succeeded. */
  readonly done: () => void;
}

/**
 * Takes quota for writes. The writes of a namespace are decided in batches: while one batch updates the quotas, the
 * next one is collected. The charges of a write that is not stored are released at once, unless the quota controller or a
 * client has written the quota meanwhile: it may have calculated the usage without the write, and the controller calculates
 * it again.
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
  async reserve(
    request: QuotaRequest,
    signal: AbortSignal,
    whenNotStored: (release: ReleaseTaken) => void = ignore,
  ): Promise<Refusal | undefined> {
    const { namespace } = request;
    const queue = this.#queueOf(namespace);
    if (queue.waiting.length >= MAX_WAITING)
      throw errors.tooManyRequests('too many requests wait for the quotas of the namespace');
    const waiter = new Waiter(request, signal);
    queue.waiting.push(waiter);
    this.#start(namespace, queue);
    const refusal = await waiter.decision;
    const { charges } = waiter;
    if (refusal === undefined && charges.size > 0) whenNotStored(() => this.#release(namespace, charges));
    return refusal;
  }

  #release(namespace: string, charges: Charges): Promise<void> {
    const queue = this.#queueOf(namespace);
    return new Promise((done) => {
      queue.returned.push({ charges, done });
      this.#start(namespace, queue);
    });
  }

  #queueOf = (namespace: string): Queue => this.#queues.get(namespace) ?? { waiting: [], returned: [] };

  #start(namespace: string, queue: Queue): void {
    if (this.#queues.has(namespace)) return;
    this.#queues.set(namespace, queue);
    void this.#run(namespace, queue);
  }

  async #run(namespace: string, queue: Queue): Promise<void> {
    // Requests that arrive together are decided together.
    await Promise.resolve();
    while (queue.waiting.length > 0 || queue.returned.length > 0) {
      const work = { ...queue };
      queue.waiting = [];
      queue.returned = [];
      const failed = await this.#decide(namespace, work);
      queue.returned.push(...failed.map(({ charges }) => ({ charges, done: ignore })));
    }
    this.#queues.delete(namespace);
  }

  /** Returns the writes that failed after something was taken for them. */
  async #decide(namespace: string, { waiting: waiters, returned }: Queue): Promise<readonly Waiter[]> {
    using deadline = withDeadline(never, this.#parts.clock, BATCH_MS);
    try {
      const work = { waiters, returned: returned.map(({ charges }) => charges) };
      await new Batch(this.#parts, namespace, work).run(deadline.signal);
      return [];
    } catch (error) {
      const failure =
        error instanceof DeadlineExceeded ? errors.timeout('resource quota evaluation timed out', 1) : error;
      const failed = waiters.filter((waiter) => !waiter.isGone && waiter.charges.size > 0);
      for (const waiter of waiters) waiter.fail(failure);
      return failed;
    } finally {
      for (const { done } of returned) done();
    }
  }
}

const never = new AbortController().signal;
const ignore = (): void => {};
