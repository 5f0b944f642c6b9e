import { createHash } from 'node:crypto';
import { type SeatHolder, SharedSeats } from './shared-seats.ts';

export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** Limits of a priority level. */
export interface LevelLimits {
  /** Own seats; no limit when undefined. */
  readonly seats: number | undefined;
  /** Number of them that other levels may borrow; none when absent. */
  readonly lendable?: number;
  /** Number of seats of other levels that it may borrow; unlimited when absent. */
  readonly borrowable?: number | undefined;
  /** Requests without a free seat are refused when undefined. */
  readonly queuing: Queuing | undefined;
}

/** Part of the seats of a level that one request may occupy. */
const WIDEST_PART = 0.15;
/** Part of them that all requests with several seats may occupy: such requests execute for long. */
const WIDE_PART = 0.75;
/** Additional seats, in relation to those of a level, for requests of queues of which no request executes. */
const RESERVED_PART = 0.2;

/** Reason of a refusal, as in metrics. */
export type Refusal = 'concurrency-limit' | 'queue-full' | 'time-out' | 'cancelled';

/** Maximum number of queued requests of one level, regardless of its queue lengths. */
const MAX_WAITING = 10_000;

/** Estimated seat milliseconds of a request until it has finished. */
const ESTIMATED_MS = 3;
/** Minimum that every request is charged: otherwise a flow of many short ones could starve others. */
const LEAST_MS = 1;

/** A queue of a level, for readers. */
export interface QueueState {
  readonly number: number;
  readonly waiting: readonly Pick<Waiter, 'flow' | 'width'>[];
  readonly served: number;
}

interface Queue extends QueueState {
  readonly waiting: Waiter[];
  /** Seat milliseconds charged to the queue, on the scale of the level: the queue with the least is served next. */
  served: number;
  /** The estimated part of them, for requests that are executing. */
  estimated: number;
  /** Requests of the queue that are executing. */
  executing: number;
}

/** Progress of the queues of a level, in seat milliseconds. */
export interface Progress {
  readonly now: number;
  /** Progress of the level when a queued request was last dispatched. */
  readonly dispatched: number;
  /** Start of that request. */
  readonly latest: number;
  /** Bounds of the starts of the first requests of the queues. */
  readonly next: { readonly min: number; readonly max: number };
  /** The same without estimates. */
  readonly discounted: { readonly min: number; readonly max: number };
}

/** A queued request. */
export interface Waiter {
  /** Its flow: the name of the schema, a newline, and the user or namespace that distinguishes it. */
  readonly flow: string;
  readonly width: number;
  readonly onSeat: (seat: Seat) => void;
  readonly queue: Queue;
}

/** The seats of an executing request; returned with `giveBack`. */
export interface Seat {
  readonly width: number;
  readonly queue: Queue | undefined;
  /** It is an additional seat of the level. */
  readonly isReserved: boolean;
}

/**
 * The seats of one priority level and its request queues. A request executes at once when a seat is free and none is
 * queued; otherwise queues are served by least seat time, so that flows get equal shares whatever their number of requests.
 * A queue of which no request executes does not wait for others: it has an additional seat.
 */
export class PriorityLevel implements SeatHolder {
  readonly name: string;
  uid = '';
  #limits: LevelLimits;
  #onSeat = 0;
  /** Those of requests with several seats. */
  #wideOnSeat = 0;
  #reservedInUse = 0;
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

  /** The queues that have requests, or had some lately. */
  get queues(): readonly QueueState[] {
    return [...this.#queues.values()].sort((a, b) => a.number - b.number);
  }
  get isExempt(): boolean {
    return this.#limits.seats === undefined;
  }
  get limits(): LevelLimits {
    return this.#limits;
  }
  /** Maximum number of seats of one request: some requests of each flow can execute at the same time. */
  get maxWidth(): number {
    const { seats, queuing } = this.#limits;
    if (seats === undefined || queuing === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(Math.min(Math.ceil(seats * WIDEST_PART), Math.floor(seats / queuing.handSize)), 1);
  }
  get seatsInUse(): number {
    return this.#onSeat + this.#reservedInUse;
  }
  get waiting(): number {
    return this.#waiting;
  }
  get sharedSeats(): number {
    return Math.max(this.#onSeat - this.#unlent, 0);
  }
  get isOwed(): boolean {
    return this.#onSeat < (this.#limits.seats ?? 0) && this.#next() !== undefined;
  }
  get load(): number {
    return this.#onSeat / Math.max(this.#limits.seats ?? 1, 1);
  }
  /** Seats that are not lent; all occupied ones without a limit. */
  get #unlent(): number {
    const { seats, lendable = 0 } = this.#limits;
    return seats === undefined ? this.#onSeat : seats - lendable;
  }

  /** Progress of the queues, in seat milliseconds. */
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

  /** New limits apply to new requests; requests in a removed queue keep their position. */
  configure(limits: LevelLimits): void {
    this.#limits = limits;
    this.fill();
  }

  /** Removes the level: it no longer lends seats; its queued requests are still served. */
  close(): void {
    this.#shared.leave(this);
  }

  /** Takes seats for a request if it need not wait. */
  take(width: number): Seat | undefined {
    if (this.#waiting > 0 && !this.#passes(width)) return undefined;
    if (this.#isCapped(width) || !this.#fits(width)) return undefined;
    this.#occupy(width);
    return { width, queue: undefined, isReserved: false };
  }

  /** Whether the request overtakes nobody: the queues begin with requests that wait for others with several seats. */
  #passes(width: number): boolean {
    return width === 1 && this.#next() === undefined;
  }

  /** Adds a request to the shortest queue of its flow; `onSeat` is called when it gets its seats: by `fill` at the earliest. */
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
      executing: 0,
    };
    this.#queues.set(shortest, queue);
    // A queue that was empty is not compensated for unused time.
    if (queue.waiting.length === 0) queue.served = Math.max(queue.served, this.#served);
    const waiter = { flow, width, onSeat, queue };
    queue.waiting.push(waiter);
    this.#waiting++;
    return waiter;
  }

  /** Removes a request from its queue; false when it has its seats already. */
  leave(waiter: Waiter): boolean {
    const { waiting } = waiter.queue;
    const at = waiting.indexOf(waiter);
    if (at < 0) return false;
    waiting.splice(at, 1);
    this.#waiting--;
    this.#dropIfIdle(waiter.queue);
    this.fill();
    return true;
  }

  /** Returns seats after `ms` and dispatches queued requests. */
  giveBack({ width, queue, isReserved }: Seat, ms: number): void {
    if (isReserved) this.#reservedInUse -= width;
    else this.#occupy(-width);
    if (queue !== undefined) {
      queue.executing -= 1;
      queue.served += width * (Math.max(ms, LEAST_MS) - ESTIMATED_MS);
      queue.estimated -= width * ESTIMATED_MS;
      this.#dropIfIdle(queue);
    }
    if (this.#waiting > 0) this.fill();
    this.#shared.fill();
  }

  #occupy(width: number): void {
    this.#onSeat += width;
    if (Math.abs(width) > 1) this.#wideOnSeat += width;
  }

  /**
   * Whether the request waits until others with several seats have ended. The rest of the seats is for requests with one,
   * which do not wait for those.
   */
  #isCapped(width: number): boolean {
    const { seats, queuing } = this.#limits;
    if (width === 1 || seats === undefined || queuing === undefined || this.#wideOnSeat === 0) return false;
    return this.#wideOnSeat + width > seats * WIDE_PART;
  }

  /** A request that is wider than the level executes alone. */
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
      // No request overtakes a wide one, which would otherwise never get its seats.
      if (queue === undefined || first === undefined || !this.#fits(first.width)) break;
      this.#occupy(first.width);
      this.#dispatch(queue, first, false);
    }
    this.#fillReserved();
  }

  /** Queues of which no request executes do not wait until the requests of others end, however long these take. */
  #fillReserved(): void {
    const most = Math.floor((this.#limits.seats ?? 0) * RESERVED_PART);
    for (const queue of this.#queues.values()) {
      if (this.#reservedInUse >= most) return;
      const [first] = queue.waiting;
      if (first === undefined || first.width > 1 || queue.executing > 0) continue;
      this.#reservedInUse += 1;
      this.#dispatch(queue, first, true);
    }
  }

  #dispatch(queue: Queue, first: Waiter, isReserved: boolean): void {
    const { width } = first;
    queue.waiting.shift();
    queue.executing += 1;
    this.#waiting--;
    this.#last = { dispatched: this.#served, latest: queue.served };
    this.#served = Math.max(this.#served, queue.served);
    queue.served += width * ESTIMATED_MS;
    queue.estimated += width * ESTIMATED_MS;
    this.#dropIfIdle(queue);
    first.onSeat({ width, queue, isReserved });
  }

  /** The queue that is served next; undefined when no request waits for anything but others with several seats. */
  #next(): Queue | undefined {
    if (this.#waiting === 0) return undefined;
    let next: Queue | undefined;
    for (const queue of this.#queues.values()) {
      const [first] = queue.waiting;
      if (first === undefined || this.#isCapped(first.width)) continue;
      if (next === undefined || queue.served < next.served) next = queue;
    }
    return next;
  }

  /** Drops an empty queue once its charged time is not ahead of the level, and all such queues when no request waits. */
  #dropIfIdle(queue: Queue): void {
    const isIdle = ({ waiting, executing }: Queue): boolean => waiting.length === 0 && executing === 0;
    if (this.#waiting === 0) {
      for (const one of this.#queues.values()) if (isIdle(one)) this.#queues.delete(one.number);
    } else if (isIdle(queue) && queue.served <= this.#served) this.#queues.delete(queue.number);
  }
}

const DIGEST_BYTES = 32;
const WORD = 4;

/**
 * The queues of a flow: `handSize` different ones of `queues`, always the same for a flow. Two flows rarely
 * share all of them, so that a flow that fills its queues leaves room for others (shuffle sharding).
 */
export function dealHand(flow: string, queues: number, handSize: number): readonly number[] {
  const digest = createHash('sha256').update(flow).digest();
  const hand: number[] = [];
  for (let i = 0; i < Math.min(handSize, queues); i++) {
    const word = digest.readUInt32BE((i * WORD) % DIGEST_BYTES);
    let card = (word ^ Math.imul(Math.floor((i * WORD) / DIGEST_BYTES), 0x9e3779b1)) >>> 0;
    card %= queues - i;
    // Index among the remaining queues: dealt ones are skipped, lowest first.
    const sorted = [...hand].sort((a, b) => a - b);
    for (const dealt of sorted) if (card >= dealt) card++;
    hand.push(card);
  }
  return hand;
}
