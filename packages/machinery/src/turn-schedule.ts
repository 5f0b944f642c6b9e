/** A source of time that never goes back, in milliseconds. */
export interface MonotonicClock {
  monotonic(): number;
  /** The time for which the thread has worked, and not waited for anything, in milliseconds. */
  active?(): number;
}

/** A turn takes about this long. */
export const TURN_MS = 2;

/** After turns of this duration together, everything else has its time, while there is anything else to do. */
const TURNS_BEFORE_OTHERS_MS = TURN_MS + 1;
/** No more than this is remembered while nothing waits: a turn takes longer only on a thread that did not run for a while. */
const MOST_REMEMBERED_MS = 25;
/**
 * The time of everything else, in multiples of the turns before. Equal times would not be equal shares: other requests find the caches
 * of the processor full of what the turns used, and garbage of the turns is also collected in the time of others.
 */
const OTHERS_PER_TURNS = 3;
/**
 * Small answers have this part of the time, at their usual cost, before the next turn. Time for others is not enough: garbage of the
 * turns is collected in it, and results of other threads and bytes of large answers are handled.
 */
const PART_OF_ANSWERS = 0.45;
/** The longest time of everything else, in multiples of the turns before: work in turns always continues. */
const MOST_OTHERS_PER_TURNS = 8;
/** The usual cost of a small answer is the mean of this number of them, without a turn between them. */
const ANSWERS_OF_A_MEAN = 256;
/** The part by which a higher mean raises the usual cost; a lower one replaces it. */
const RAISING_PART = 1 / 64;
/** The part of that time in which nothing happens, in multiples of the turns before. */
const WAITING_PER_TURNS = 1;
/** Other work of an iteration of the event loop that takes less is only the iteration itself: a small request takes more. */
const ITERATION_MS = 0.03;
/**
 * The thread has nothing else to do when nothing happens for this part of the turns before. The part doubles after each pause in which
 * there was other work, and halves after each other one: a client that sends a request after each answer has nothing to do for the
 * thread until it has read the answer.
 */
const IDLE_PART = { least: 0.1, most: 0.5 } as const;

/** New work begins at the latest after this number of turns of work that has begun. */
const TURNS_BEFORE_NEW = 4;

/** Work that waits for a turn. */
export interface TurnTaker {
  /** Whether it always waits for clients that may send something soon; other work waits only after small answers. */
  readonly isPatient: boolean;
  /** Does pieces until the time; whether the work has ended. */
  advance(until: number): boolean;
}

/** The turns of a thread, as its parts take them. */
export interface ThreadTurns {
  /** Nothing waits, and others have had their time. */
  readonly isFree: boolean;
  now(): number;
  /** Counts work as a turn that was done just now, at once, because the turns were free. */
  spend(ms: number): void;
  /** Notes that a client gets a small answer: hurried work waits for its next request, and all work until such answers have their part. */
  noteSmallAnswer(): void;
  /** Gives the work turns until it has ended. Work that has begun comes before new work. */
  add(work: TurnTaker, order: { readonly isNew: boolean }): void;
}

const nextIteration = (then: () => void): void => void setImmediate(then);

/**
 * The turns of a thread: one in each iteration of the event loop, in rotation among the long work of the thread, of whichever part of
 * the program. Turns are followed by as many iterations as everything else needs to have three times as much time.
 */
export class TurnSchedule implements ThreadTurns {
  readonly #clock: MonotonicClock;
  readonly #next: (then: () => void) => void;
  readonly #begun: TurnTaker[] = [];
  readonly #new: TurnTaker[] = [];
  #turnsOfBegun = 0;
  /** The duration of the turns since others had their time, less a part of the time in which nothing has waited. */
  #turnsMs = 0;
  /** Since when nothing waits. */
  #freeSince = 0;
  #idlePart: number = IDLE_PART.least;
  /** The same, for hurried work after small answers. */
  #hurriedIdlePart: number = IDLE_PART.least;
  #isScheduled = false;
  /** Small answers were given in the last time of others, and since then. */
  #smallAnswers = { before: false, now: false };
  readonly #answers: SmallAnswers;

  /** `next` calls its argument after other work of the thread. */
  constructor(clock: MonotonicClock, next = nextIteration) {
    this.#clock = clock;
    this.#next = next;
    this.#answers = new SmallAnswers(clock);
  }

  get isFree(): boolean {
    if (this.#isScheduled) return false;
    this.#settle();
    return this.#turnsMs <= TURNS_BEFORE_OTHERS_MS;
  }

  now(): number {
    return this.#clock.monotonic();
  }

  spend(ms: number): void {
    this.#turnsMs = Math.min(this.#turnsMs + ms, MOST_REMEMBERED_MS);
    this.#freeSince = this.#clock.monotonic();
    this.#answers.disturb();
  }

  noteSmallAnswer(): void {
    this.#smallAnswers.now = true;
    this.#answers.add();
  }

  add(work: TurnTaker, { isNew }: { readonly isNew: boolean }): void {
    (isNew ? this.#new : this.#begun).push(work);
    if (this.#isScheduled) return;
    this.#answers.begin();
    this.#settle();
    this.#continue(this.#freeSince);
  }

  /** Time in which nothing waits is the time of others: what waits for another thread between its turns leaves them no less. */
  #settle(): void {
    const now = this.#clock.monotonic();
    this.#turnsMs = Math.max(this.#turnsMs - (now - this.#freeSince) / OTHERS_PER_TURNS, 0);
    this.#freeSince = now;
  }

  /** The next turn, after the time of others when it is due. */
  #continue(ended: number): void {
    const turnsMs = this.#turnsMs;
    if (turnsMs <= TURNS_BEFORE_OTHERS_MS) this.#schedule();
    else {
      this.#isScheduled = true;
      this.#letOthers({ ended, turnsMs, last: ended, idleMs: 0, waitedMs: 0, isUsed: false });
    }
  }

  #schedule(): void {
    this.#isScheduled = true;
    this.#answers.disturb();
    let began = 0;
    this.#next(() => {
      began = this.#clock.monotonic();
      this.#turn(began + TURN_MS);
    });
    // In the same iteration, after everything that the turn has resolved.
    this.#next(() => this.#turned(began));
  }

  get #isForNew(): boolean {
    const isDue = this.#begun.length === 0 || this.#turnsOfBegun >= TURNS_BEFORE_NEW;
    return isDue && this.#new.length > 0;
  }

  #turn(until: number): void {
    const isForNew = this.#isForNew;
    const taker = (isForNew ? this.#new : this.#begun).shift();
    this.#turnsOfBegun = isForNew ? 0 : this.#turnsOfBegun + 1;
    if (taker !== undefined && !taker.advance(until)) this.#begun.push(taker);
  }

  #turned(began: number): void {
    const ended = this.#clock.monotonic();
    this.#turnsMs += ended - began;
    if (this.#begun.length + this.#new.length > 0) {
      this.#continue(ended);
      return;
    }
    this.#isScheduled = false;
    this.#turnsMs = Math.min(this.#turnsMs, MOST_REMEMBERED_MS);
    this.#freeSince = ended;
  }

  /** Continues when others have had their part of the time, or have nothing to do. */
  #letOthers(pause: Pause): void {
    this.#next(() => {
      const later = continued(pause, this.#clock.monotonic());
      if (!isOver(later, this.#patience(), this.#answers.usualMs)) {
        this.#letOthers(later);
        return;
      }
      const { before, now } = this.#smallAnswers;
      this.#idlePart = adapted(this.#idlePart, later.isUsed);
      this.#hurriedIdlePart = adapted(this.#hurriedIdlePart, before && now);
      this.#smallAnswers = { before: now, now: false };
      this.#turnsMs = 0;
      this.#answers.begin();
      this.#schedule();
    });
  }

  /** The part of the turns before for which nothing else happens before the next one. */
  #patience(): number {
    const [first] = this.#isForNew ? this.#new : this.#begun;
    if (first?.isPatient !== false) return this.#idlePart;
    return this.#smallAnswers.now ? this.#hurriedIdlePart : 0;
  }
}

const adapted = (part: number, isUsed: boolean): number =>
  isUsed ? Math.min(part * 2, IDLE_PART.most) : Math.max(part / 2, IDLE_PART.least);

/** The time between two turns. */
interface Pause {
  readonly ended: number;
  /** The duration of the turns before. */
  readonly turnsMs: number;
  /** The previous iteration of the event loop. */
  readonly last: number;
  /** The time since others did something. */
  readonly idleMs: number;
  /** All time in which others did nothing. */
  readonly waitedMs: number;
  /** Others have done something. */
  readonly isUsed: boolean;
}

/** The pause after another iteration of the event loop. */
function continued(pause: Pause, now: number): Pause {
  const ms = now - pause.last;
  const isIdle = ms < ITERATION_MS;
  return {
    ...pause,
    last: now,
    idleMs: isIdle ? pause.idleMs + ms : 0,
    waitedMs: isIdle ? pause.waitedMs + ms : pause.waitedMs,
    isUsed: pause.isUsed || !isIdle,
  };
}

/**
 * Whether others have had their time. `patience` is the part of the turns before for which nothing happens when they have nothing to do,
 * and `answersMs` what the small answers since the turns before usually cost; undefined if that is unknown.
 */
function isOver(
  { ended, turnsMs, last, idleMs, waitedMs }: Pause,
  patience: number,
  answersMs: number | undefined,
): boolean {
  if (waitedMs >= turnsMs * WAITING_PER_TURNS || idleMs > turnsMs * patience) return true;
  const othersMs = last - ended;
  if (othersMs < turnsMs * OTHERS_PER_TURNS) return false;
  if (answersMs === undefined || othersMs >= turnsMs * MOST_OTHERS_PER_TURNS) return true;
  return answersMs >= (othersMs + turnsMs) * PART_OF_ANSWERS;
}

/** Counts small answers, and learns what one costs on a thread without turns. */
class SmallAnswers {
  readonly #clock: MonotonicClock;
  #usualMs: number | undefined;
  /** Answers since the turns before. */
  #count = 0;
  /** Those of the next mean, and when the thread began with them. */
  #mean = { answers: 0, began: 0 };

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** What the answers since the turns before cost without turns; undefined if that is unknown, or without answers. */
  get usualMs(): number | undefined {
    return this.#usualMs === undefined || this.#count === 0 ? undefined : this.#usualMs * this.#count;
  }

  add(): void {
    this.#count += 1;
    const { answers, began } = this.#mean;
    if (answers === 0) this.#mean.began = this.#clock.active?.() ?? 0;
    if (answers < ANSWERS_OF_A_MEAN) {
      this.#mean.answers += 1;
      return;
    }
    this.#mean.answers = 0;
    if (this.#clock.active === undefined) return;
    const meanMs = (this.#clock.active() - began) / ANSWERS_OF_A_MEAN;
    const usual = this.#usualMs ?? meanMs;
    this.#usualMs = meanMs < usual ? meanMs : usual + (meanMs - usual) * RAISING_PART;
  }

  /** Begins the next mean again: a turn follows. */
  disturb(): void {
    this.#mean.answers = 0;
  }

  /** Counts answers from now on. */
  begin(): void {
    this.#count = 0;
  }
}
