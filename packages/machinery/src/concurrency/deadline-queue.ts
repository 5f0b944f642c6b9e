import type { Cancel, Clock } from '../env.ts';

/** An armed deadline; pass it to `disarm` when the guarded operation is done. */
export interface Deadline {
  readonly dueAt: number;
}

interface Entry extends Deadline {
  dueAt: number;
  expire: (() => void) | undefined;
  previous: Entry;
  next: Entry;
}

/**
 * Deadlines of one common duration, which therefore expire in the order in which they were armed: arming and disarming
 * are linked-list operations, and one timer serves all. Deadlines fire up to
 * `slackMs` late, never early.
 */
export class DeadlineQueue {
  readonly #clock: Clock;
  readonly durationMs: number;
  readonly #slackMs: number;
  readonly #ring: Entry;
  #cancelTimer: Cancel | undefined;

  constructor(clock: Clock, durationMs: number, slackMs = Math.min(1000, durationMs / 20)) {
    this.#clock = clock;
    this.durationMs = durationMs;
    this.#slackMs = slackMs;
    const ring = { dueAt: 0, expire: undefined } as Entry;
    ring.previous = ring;
    ring.next = ring;
    this.#ring = ring;
  }

  /** Calls `expire` once when the duration has passed, unless disarmed. */
  arm(expire: () => void): Deadline {
    const ring = this.#ring;
    const entry: Entry = {
      dueAt: this.#clock.monotonic() + this.durationMs,
      expire,
      previous: ring.previous,
      next: ring,
    };
    ring.previous.next = entry;
    ring.previous = entry;
    if (this.#cancelTimer === undefined) this.#schedule(this.durationMs);
    return entry;
  }

  /** Drops all armed deadlines. */
  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    while (this.#ring.next !== this.#ring) unlink(this.#ring.next);
  }

  #schedule(delayMs: number): void {
    this.#cancelTimer = this.#clock.schedule(delayMs + this.#slackMs, () => {
      this.#cancelTimer = undefined;
      this.#fire();
    });
  }

  #fire(): void {
    const now = this.#clock.monotonic();
    const ring = this.#ring;
    while (ring.next !== ring && ring.next.dueAt <= now) {
      const { expire } = ring.next;
      unlink(ring.next);
      expire?.();
    }
    if (ring.next !== ring && this.#cancelTimer === undefined) this.#schedule(ring.next.dueAt - now);
  }
}

/** Disarms a deadline of any queue. Does nothing for one that has fired or was disarmed already. */
export function disarm(deadline: Deadline | undefined): void {
  if (deadline !== undefined) unlink(deadline as Entry);
}

function unlink(entry: Entry): void {
  if (entry.expire === undefined) return;
  entry.expire = undefined;
  entry.previous.next = entry.next;
  entry.next.previous = entry.previous;
  // Unlinked in both directions: links among deadlines in the old generation would keep later ones alive for the
  // garbage collector, and so on.
  entry.previous = entry;
  entry.next = entry;
}
