import { type SeatHolder, SharedSeats } from './shared-seats.ts';
import { dealHand } from './shuffle-shard.ts';

export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** How a level is limited. */
export interface LevelLimits {
  /** Seats of its own; no limit when undefined. */
  readonly seats: number | undefined;
  /** How many of them others may have while they are not needed; none when absent. */
  readonly lendable?: number;
  /** How many of others it may have; any number when absent. */
  readonly borrowable?: number | undefined;
  /** Requests that find no seat are refused when undefined. */
  readonly queuing: Queuing | undefined;
}

/** Why a request gets no seat, as metrics say it. */
export type Refusal = 'concurrency-limit' | 'queue-full' | 'time-out' | 'cancelled';

/** Requests of one level that wait at most, whatever its queues would hold. */
const MAX_WAITING = 10_000;

/** Seat milliseconds that a request is taken to need until it has been seen. */
const ESTIMATED_MS = 3;
/** What every request counts for at least: else a flow of many short ones would be served without end. */
const LEAST_MS = 1;

interface Queue {
  readonly number: number;
  readonly waiting: Waiter[];
  /** Seat milliseconds that the queue has had, on the level's scale: the queue that has had least is next. */
  served: number;
  /** The part of them that is estimated: of requests that have their seats still. */
  estimated: number;
}

/** What is to be told of the queues of a level, in seat milliseconds. */
export interface Progress {
  readonly now: number;
  /** Where the level was when a request last got its seat from a queue. */
  readonly dispatched: number;
  /** What that request began with. */
  readonly latest: number;
  /** What the first requests of the queues begin with. */
  readonly next: { readonly min: number; readonly max: number };
  /** The same without what is only estimated. */
  readonly discounted: { readonly min: number; readonly max: number };
}

/** A request that waits. */
export interface Waiter {
  readonly width: number;
  readonly onSeat: (seat: Seat) => void;
  readonly queue: Queue;
}

/** What a request holds while it is worked on; given back with `giveBack`. */
export interface Seat {
  readonly width: number;
  readonly queue: Queue | undefined;
}

/**
 * The seats of one priority level, and the queues before them. A seat is had at once when one is free and nobody waits;
 * otherwise queues take turns, so that each gets the same time in seats, however many requests stand in it.
 */
export class PriorityLevel implements SeatHolder {
  readonly name: string;
  uid = '';
  #limits: LevelLimits;
  #onSeat = 0;
  #waiting = 0;
  #served = 0;
  #last = { dispatched: 0, latest: 0 };
  readonly #queues = new Map<number, Queue>();
  readonly #shared: SharedSeats;

  constructor(name: string, limits: LevelLimits, shared = new SharedSeats()) {
    this.name = name;
    this.#limits = limits;
    this.#shared = shared;
    shared.join(this);
  }

  get isExempt(): boolean {
    return this.#limits.seats === undefined;
  }
  get limits(): LevelLimits {
    return this.#limits;
  }
  get seatsInUse(): number {
    return this.#onSeat;
  }
  get waiting(): number {
    return this.#waiting;
  }
  get sharedSeats(): number {
    return Math.max(this.#onSeat - this.#unlent, 0);
  }
  get isOwed(): boolean {
    return this.#waiting > 0 && this.#onSeat < (this.#limits.seats ?? 0);
  }
  get load(): number {
    return this.#onSeat / Math.max(this.#limits.seats ?? 1, 1);
  }
  /** Seats that nobody else gets; all that are held when there is no limit. */
  get #unlent(): number {
    const { seats, lendable = 0 } = this.#limits;
    return seats === undefined ? this.#onSeat : seats - lendable;
  }

  /** How far the queues have got, in seat milliseconds. */
  get progress(): Progress {
    const waiting = [...this.#queues.values()].filter((queue) => queue.waiting.length > 0);
    const bounds = (of: (queue: Queue) => number) => {
      const all = waiting.length === 0 ? [this.#served] : waiting.map(of);
      return { min: Math.min(...all), max: Math.max(...all) };
    };
    return {
      now: this.#served,
      ...this.#last,
      next: bounds((queue) => queue.served),
      discounted: bounds((queue) => queue.served - queue.estimated),
    };
  }

  /** New limits count for what comes; who waits in a queue that is no more keeps its place. */
  configure(limits: LevelLimits): void {
    this.#limits = limits;
    this.fill();
  }

  /** The level is no more: what it lent is gone, and who waits in it still gets its seats. */
  close(): void {
    this.#shared.leave(this);
  }

  /** A seat for a request that need not wait. */
  take(width: number): Seat | undefined {
    if (this.#waiting > 0 || !this.#fits(width)) return undefined;
    this.#onSeat += width;
    return { width, queue: undefined };
  }

  /** Lets a request wait in the shortest of the queues that its flow has; `onSeat` is called when it has a seat. */
  enqueue(flow: string, width: number, onSeat: (seat: Seat) => void): Waiter | Refusal {
    const { queuing } = this.#limits;
    if (queuing === undefined) return 'concurrency-limit';
    const lengthOf = (number: number): number => this.#queues.get(number)?.waiting.length ?? 0;
    const hand = dealHand(flow, queuing.queues, queuing.handSize);
    const shortest = hand.reduce((best, one) => (lengthOf(one) < lengthOf(best) ? one : best));
    if (lengthOf(shortest) >= queuing.queueLengthLimit || this.#waiting >= MAX_WAITING) return 'queue-full';
    const queue = this.#queues.get(shortest) ?? {
      number: shortest,
      waiting: [],
      served: this.#served,
      estimated: 0,
    };
    this.#queues.set(shortest, queue);
    // A queue that was empty for a while has no claim to what it did not use.
    if (queue.waiting.length === 0) queue.served = Math.max(queue.served, this.#served);
    const waiter = { width, onSeat, queue };
    queue.waiting.push(waiter);
    this.#waiting++;
    return waiter;
  }

  /** Takes a request out of its queue; false when it has a seat already. */
  leave(waiter: Waiter): boolean {
    const { waiting } = waiter.queue;
    const at = waiting.indexOf(waiter);
    if (at < 0) return false;
    waiting.splice(at, 1);
    this.#waiting--;
    this.#forget(waiter.queue);
    this.fill();
    return true;
  }

  /** Gives a seat back after `ms` and hands it on. */
  giveBack({ width, queue }: Seat, ms: number): void {
    this.#onSeat -= width;
    if (queue !== undefined) {
      queue.served += width * (Math.max(ms, LEAST_MS) - ESTIMATED_MS);
      queue.estimated -= width * ESTIMATED_MS;
    }
    if (this.#waiting > 0) this.fill();
    this.#shared.fill();
  }

  /** A request that is wider than the whole level has it for itself. */
  #fits(width: number): boolean {
    const { seats, borrowable = Number.POSITIVE_INFINITY } = this.#limits;
    if (seats === undefined || this.#onSeat === 0) return true;
    const after = this.#onSeat + width;
    if (after <= this.#unlent) return true;
    if (after - this.#unlent - this.sharedSeats > this.#shared.free) return false;
    return after <= seats || (after <= seats + borrowable && !this.#shared.isOwedToOthers(this));
  }

  fill(): void {
    while (this.#waiting > 0) {
      const queue = this.#next();
      const first = queue?.waiting[0];
      // Nobody passes a wide request, or it would never get its seats.
      if (queue === undefined || first === undefined || !this.#fits(first.width)) return;
      queue.waiting.shift();
      this.#waiting--;
      this.#onSeat += first.width;
      this.#last = { dispatched: this.#served, latest: queue.served };
      this.#served = Math.max(this.#served, queue.served);
      queue.served += first.width * ESTIMATED_MS;
      queue.estimated += first.width * ESTIMATED_MS;
      this.#forget(queue);
      first.onSeat({ width: first.width, queue });
    }
  }

  #next(): Queue | undefined {
    let next: Queue | undefined;
    for (const queue of this.#queues.values()) {
      if (queue.waiting.length > 0 && (next === undefined || queue.served < next.served)) next = queue;
    }
    return next;
  }

  /** An empty queue that has had more than others is remembered until they have caught up. */
  #forget(queue: Queue): void {
    if (this.#waiting === 0) this.#queues.clear();
    else if (queue.waiting.length === 0 && queue.served <= this.#served) this.#queues.delete(queue.number);
  }
}
