/** Each costs up to a millisecond, so this many together delay open connections by at most 8 ms. */
const ITEMS_OF_AN_ITERATION = 8;

const nextIteration = (then: () => void): void => void setImmediate(then);

/** Takes items in the order in which they were added, and only a few in an iteration of the event loop. */
export class IterationTurns<Item> {
  readonly #take: (item: Item) => void;
  readonly #next: (then: () => void) => void;
  readonly #waiting = new Set<Item>();
  #taken = 0;

  /** `next` calls its argument in the next iteration of the event loop. */
  constructor(take: (item: Item) => void, next = nextIteration) {
    this.#take = take;
    this.#next = next;
  }

  /** Takes an item at once, or in a later iteration unless it has been deleted by then. Returns whether it waits. */
  add(item: Item): boolean {
    if (this.#taken < ITEMS_OF_AN_ITERATION) {
      this.#takeNow(item);
      return false;
    }
    this.#waiting.add(item);
    return true;
  }

  delete(item: Item): void {
    this.#waiting.delete(item);
  }

  #takeNow(item: Item): void {
    if (this.#taken++ === 0) this.#next(() => this.#turn());
    this.#take(item);
  }

  #turn(): void {
    this.#taken = 0;
    for (const item of this.#waiting) {
      if (this.#taken === ITEMS_OF_AN_ITERATION) return;
      this.#waiting.delete(item);
      this.#takeNow(item);
    }
  }
}
