/** A level, as the pool of shared seats sees it. */
export interface SeatHolder {
  /** Occupied seats of the pool: those beyond the seats that the level does not lend. */
  readonly sharedSeats: number;
  /** Whether requests are queued while fewer seats are occupied than the level owns. */
  readonly isOwed: boolean;
  /** Occupied seats in relation to own seats. */
  readonly load: number;
  readonly waiting: number;
  /** Dispatches queued requests while seats are free. */
  fill(): void;
}

/**
 * The seats that levels lend to each other. Each level has seats that it does not lend, and adds others to this pool,
 * from which any level may borrow. Owners have priority: while a level waits for own seats, no level
 * borrows, and returned seats go to it.
 */
export class SharedSeats {
  readonly #holders = new Set<SeatHolder>();
  #size = 0;
  #isFilling = false;

  /** Size of the pool; may become smaller than the number of borrowed seats. */
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

  /** Reports whether another level waits for own seats. */
  isOwedToOthers(by: SeatHolder): boolean {
    for (const holder of this.#holders) if (holder !== by && holder.isOwed) return true;
    return false;
  }

  /** Dispatches after seats were returned: first owners that wait, then levels by load. */
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
