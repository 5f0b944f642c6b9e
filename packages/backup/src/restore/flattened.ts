/** The items of all parts of a stream, one by one. */
export class Flattened<Item, Result> {
  readonly #parts: AsyncIterator<readonly Item[], Result>;
  readonly #takes: (item: Item) => boolean;
  #part: readonly Item[] = [];
  #index = 0;
  #result: Result | undefined;

  constructor(parts: AsyncIterator<readonly Item[], Result>, takes: (item: Item) => boolean = () => true) {
    this.#parts = parts;
    this.#takes = takes;
  }

  /** The result of the stream; undefined before its end. */
  get result(): Result | undefined {
    return this.#result;
  }

  /** Undefined at the end. */
  async next(): Promise<Item | undefined> {
    for (;;) {
      while (this.#index < this.#part.length) {
        const item = this.#part[this.#index++];
        if (item !== undefined && this.#takes(item)) return item;
      }
      const next = await this.#parts.next();
      if (next.done === true) {
        this.#result ??= next.value;
        return undefined;
      }
      this.#part = next.value;
      this.#index = 0;
    }
  }

  /** Ends the stream early. */
  async close(): Promise<void> {
    await this.#parts.return?.(undefined as never).catch(() => undefined);
  }
}
