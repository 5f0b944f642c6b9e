const nextIteration = (then: () => void): void => void setImmediate(then);

/**
 * Takes items in the order in which they were added, one in each iteration of the event loop. An item may cost a millisecond, and the
 * answer to a request takes several iterations.
 */
export class IterationTurns<Item> {
  readonly #take: (item: Item) => void;
  readonly #next: (then: () => void) => void;
  readonly #waiting = new Set<Item>();
  #isTaken = false;

  /** `next` calls its argument in the next iteration of the event loop. */
  constructor(take: (item: Item) => void, next = nextIteration) {
    this.#take = take;
    this.#next = next;
  }

  /** Takes an item at once, or in a later iteration unless it has been deleted by then. Returns whether it waits. */
  add(item: Item): boolean {
    if (this.#isTaken) {
      this.#waiting.add(item);
      return true;
    }
    this.#takeNow(item);
    return false;
  }

  delete(item: Item): void {
    this.#waiting.delete(item);
  }

  #takeNow(item: Item): void {
    this.#isTaken = true;
    this.#next(() => this.#turn());
    this.#take(item);
  }

  #turn(): void {
    this.#isTaken = false;
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.#waiting.delete(first);
    this.#takeNow(first);
  }
}
