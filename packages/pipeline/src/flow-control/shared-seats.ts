/** What the pool needs to know of a level, and asks of it. */
export interface SeatHolder {
  /** Seats of the pool that it holds now: those beyond what it never lends. */
  readonly sharedSeats: number;
  /** Requests wait, and fewer seats are held than are its own. */
  readonly isOwed: boolean;
  /** Seats that are held, in relation to those that are its own. */
  readonly load: number;
  readonly waiting: number;
  /** Gives seats to who waits, as far as there are any. */
  fill(): void;
}

/**
 * The seats that levels lend each other. Each level has seats that nobody else gets, and lends others to this pool,
 * where any level may take them. Whose own they are comes first: as long as a level waits for seats of its own, nobody
 * borrows, and what is given back goes to it.
 */
export class SharedSeats {
  readonly #holders = new Set<SeatHolder>();
  #size = 0;
  #isFilling = false;

  /** Seats in the pool; it may shrink below what is taken. */
  set size(seats: number) {
    this.#size = seats;
  }

  get free(): number {
    if (this.#size === 0) return 0;
    let taken = 0;
    for (const holder of this.#holders) taken += holder.sharedSeats;
    return this.#size - taken;
  }

  join(holder: SeatHolder): void {
    this.#holders.add(holder);
  }

  leave(holder: SeatHolder): void {
    this.#holders.delete(holder);
  }

  /** Whether somebody else waits for seats of its own. */
  isOwedToOthers(by: SeatHolder): boolean {
    for (const holder of this.#holders) if (holder !== by && holder.isOwed) return true;
    return false;
  }

  /** Seats were given back: first to whom they belong, then to who holds least of its own. */
  fill(): void {
    if (this.#size === 0 || this.#isFilling) return;
    this.#isFilling = true;
    try {
      const waiting = [...this.#holders].filter((holder) => holder.waiting > 0);
      waiting.sort((a, b) => Number(b.isOwed) - Number(a.isOwed) || a.load - b.load);
      for (const holder of waiting) holder.fill();
    } finally {
      this.#isFilling = false;
    }
  }
}
