import type { Cancel, Clock, Fence } from '@orch/machinery';

/** The reason of the signal of a leadership that ended unintentionally. */
export class LeadershipLost extends Error {
  constructor(why: string) {
    super(`leadership was lost: ${why}`);
    this.name = 'LeadershipLost';
  }
}

/** A term of leadership. It expires by the monotonic clock of this machine, independent of the server. */
export interface Leadership {
  /** Aborts when the leadership ends or must be released. All work of the leadership must end then. */
  readonly signal: AbortSignal;
  readonly fence: Fence;
  /**
   * Reports whether the leadership is valid at this moment: reads the clock, and aborts the signal after the expiration. Timers may
   * be late, above all in a process that was suspended, so that this must be called right before every action.
   */
  isValid(): boolean;
}

/** A leadership that its elector renews. */
export class TimedLeadership implements Leadership {
  readonly fence: Fence;
  readonly #clock: Clock;
  readonly #termMs: number;
  readonly #controller = new AbortController();
  #validUntil: number;
  #isHeld = true;
  #cancel: Cancel | undefined;

  /** `sentAt`: when the acquiring write was sent. The term lasts `termMs` from then, and from every renewal. */
  constructor(
    { clock, termMs }: { readonly clock: Clock; readonly termMs: number },
    fence: Fence,
    sentAt: number,
  ) {
    this.fence = fence;
    this.#clock = clock;
    this.#termMs = termMs;
    this.#validUntil = sentAt + termMs;
    this.#watch();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether no other candidate can hold the Lease, also while the work is ending. */
  get isHeld(): boolean {
    if (this.#isHeld && this.#clock.monotonic() >= this.#validUntil) this.lose('it was not renewed in time');
    return this.#isHeld;
  }

  /** Remaining time. */
  get leftMs(): number {
    return this.isHeld ? this.#validUntil - this.#clock.monotonic() : 0;
  }

  isValid(): boolean {
    return this.isHeld && !this.signal.aborted;
  }

  /** Applies a successful renewal that was sent at this time. An ended leadership stays ended. */
  extend(sentAt: number): void {
    if (!this.isHeld) return;
    this.#validUntil = Math.max(this.#validUntil, sentAt + this.#termMs);
    this.#watch();
  }

  /** Aborts the signal for the work; the Lease is held until the work has ended. */
  stop(reason: unknown): void {
    this.#controller.abort(reason);
  }

  lose(why: string): void {
    this.#isHeld = false;
    this.#cancel?.();
    this.#controller.abort(new LeadershipLost(why));
  }

  /** Cancels the timer. */
  end(): void {
    this.#isHeld = false;
    this.#cancel?.();
  }

  #watch(): void {
    this.#cancel?.();
    this.#cancel = this.#clock.schedule(this.#validUntil - this.#clock.monotonic(), () => {
      // Clock and timers may differ a little: the timer is set again until the clock agrees.
      if (this.isHeld) this.#watch();
    });
  }
}
