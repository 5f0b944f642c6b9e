import type { Cancel, Clock } from '@orch/machinery';

/** An armed deadline; hand it to `disarm` when what it guards is done. */
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
 * Deadlines that all lie the same duration ahead when they are armed, so that they fall due in the order in which they
 * were armed: arming and disarming is a link in a list, and one timer serves them all. Deadlines fire up to
 * `slackMs` late, never early.
 */
export class DeadlineQueue {
  readonly #clock: Clock;
  readonly #durationMs: number;
  readonly #slackMs: number;
  readonly #ring: Entry;
  #cancelTimer: Cancel | undefined;

  constructor(clock: Clock, durationMs: number, slackMs = Math.min(1000, durationMs / 20)) {
    this.#clock = clock;
    this.#durationMs = durationMs;
    this.#slackMs = slackMs;
    const ring = { dueAt: 0, expire: undefined } as Entry;
    ring.previous = ring;
    ring.next = ring;
    this.#ring = ring;
  }

  /** Calls `expire` once when the duration has passed, unless disarmed before. */
  arm(expire: () => void): Deadline {
    const ring = this.#ring;
    const entry: Entry = {
      dueAt: this.#clock.monotonic() + this.#durationMs,
      expire,
      previous: ring.previous,
      next: ring,
    };
    ring.previous.next = entry;
    ring.previous = entry;
    if (this.#cancelTimer === undefined) this.#schedule(this.#durationMs);
    return entry;
  }

  /** Forgets everything armed. */
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

/** Keeps a deadline of any queue from firing. Does nothing for one that has fired or was disarmed already. */
export function disarm(deadline: Deadline | undefined): void {
  if (deadline !== undefined) unlink(deadline as Entry);
}

function unlink(entry: Entry): void {
  if (entry.expire === undefined) return;
  entry.expire = undefined;
  entry.previous.next = entry.next;
  entry.next.previous = entry.previous;
  // One that died old would keep its neighbours from dying young, and they theirs: for the collector of garbage, a chain
  // of all that ever were.
  entry.previous = entry;
  entry.next = entry;
}
