import type { Clock } from '@orch/machinery';
import { DeadlineQueue, disarm } from '@orch/machinery/concurrency';
import type { PriorityLevel, Refusal, Seat } from './priority-level.ts';

export interface Wanted {
  readonly level: PriorityLevel;
  readonly flow: string;
  readonly width: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Lets requests wait for seats, up to a maximum time. */
export class RequestQueue {
  readonly #deadlines: DeadlineQueue;

  constructor(clock: Clock, waitMs: number) {
    this.#deadlines = new DeadlineQueue(clock, waitMs);
  }

  /** The refusal when the request cannot be queued, or the result of waiting. */
  enter({ level, flow, width, signal }: Wanted): Refusal | Promise<Seat | Refusal> {
    const { promise, resolve } = Promise.withResolvers<Seat | Refusal>();
    const waiter = level.enqueue(flow, width, (seat) => {
      stopWaiting();
      resolve(seat);
    });
    if (typeof waiter === 'string') return waiter;
    const giveUp = (why: Refusal) => (): void => {
      stopWaiting();
      if (level.leave(waiter)) resolve(why);
    };
    const left = giveUp('cancelled');
    const deadline = this.#deadlines.arm(giveUp('time-out'));
    const stopWaiting = (): void => {
      disarm(deadline);
      signal.removeEventListener('abort', left);
    };
    signal.addEventListener('abort', left, { once: true });
    if (signal.aborted) left();
    // Requests that wait for more seats do not delay this one.
    level.fill();
    return promise;
  }

  close(): void {
    this.#deadlines.close();
  }
}
