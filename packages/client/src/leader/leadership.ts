import type { Cancel, Clock, Fence } from '@orch/machinery';

/** Why the signal of a leadership aborted when nobody asked it to. */
export class LeadershipLost extends Error {
  constructor(why: string) {
    super(`leadership was lost: ${why}`);
    this.name = 'LeadershipLost';
  }
}

/** A time in office. It ends by this machine's monotonic clock, whatever is heard from the server or not. */
export interface Leadership {
  /** Aborts when the leadership is over or to be given up. All work under it ends then. */
  readonly signal: AbortSignal;
  readonly fence: Fence;
  /**
   * Whether to act at this moment: looks at the clock, and aborts the signal when time has run out. Timers may be late,
   * above all in a process that was stopped and has just come back: ask before acting, not only beforehand.
   */
  isValid(): boolean;
}

/** A leadership that its elector extends. */
export class TimedLeadership implements Leadership {
  readonly fence: Fence;
  readonly #clock: Clock;
  readonly #termMs: number;
  readonly #controller = new AbortController();
  #validUntil: number;
  #isHeld = true;
  #cancel: Cancel | undefined;

  /** `sentAt`: when the write that began it was sent. It lasts `termMs` from then, and from every renewal. */
  constructor(clock: Clock, termMs: number, fence: Fence, sentAt: number) {
    this.fence = fence;
    this.#clock = clock;
    this.#termMs = termMs;
    this.#validUntil = sentAt + termMs;
    this.#watch();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether nobody else can have been given the Lease: also while work that was told to end is still ending. */
  get isHeld(): boolean {
    if (this.#isHeld && this.#clock.monotonic() >= this.#validUntil) this.lose('it was not renewed in time');
    return this.#isHeld;
  }

  /** Time that is left. */
  get leftMs(): number {
    return this.isHeld ? this.#validUntil - this.#clock.monotonic() : 0;
  }

  isValid(): boolean {
    return this.isHeld && !this.signal.aborted;
  }

  /** A renewal that was sent at this time has succeeded. What is over stays over. */
  extend(sentAt: number): void {
    if (!this.isHeld) return;
    this.#validUntil = Math.max(this.#validUntil, sentAt + this.#termMs);
    this.#watch();
  }

  /** Tells the work to end; the Lease is held until then. */
  stop(reason: unknown): void {
    this.#controller.abort(reason);
  }

  lose(why: string): void {
    this.#isHeld = false;
    this.#cancel?.();
    this.#controller.abort(new LeadershipLost(why));
  }

  /** No timer is left. */
  end(): void {
    this.#isHeld = false;
    this.#cancel?.();
  }

  #watch(): void {
    this.#cancel?.();
    this.#cancel = this.#clock.schedule(this.#validUntil - this.#clock.monotonic(), () => {
      // A clock and its timers may differ by a little: looked at again until the clock agrees.
      if (this.isHeld) this.#watch();
    });
  }
}
