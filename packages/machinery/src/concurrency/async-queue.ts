import { onAbort } from './abort.ts';

interface Waiter<T> {
  give(result: IteratorResult<T, undefined>): void;
  fail(reason: unknown): void;
}

/**
 * A bounded queue between a producer that does not wait and consumers that do. Items come out in the order they went
 * in, each to one consumer. What happens when it is full is the producer's decision: `push` returns false and the
 * item is not taken.
 */
export class AsyncQueue<T> {
  readonly #capacity: number;
  #items: T[] = [];
  #head = 0;
  readonly #waiters = new Set<Waiter<T>>();
  #end: { readonly error: unknown; readonly failed: boolean } | undefined;

  constructor(capacity: number) {
    if (!(capacity >= 1)) throw new RangeError('the capacity of a queue is at least 1');
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#items.length - this.#head;
  }

  get closed(): boolean {
    return this.#end !== undefined;
  }

  /** False when the queue is full or closed. */
  push(item: T): boolean {
    if (this.#end !== undefined) return false;
    const [waiter] = this.#waiters;
    if (waiter !== undefined) {
      this.#waiters.delete(waiter);
      waiter.give({ done: false, value: item });
      return true;
    }
    if (this.size >= this.#capacity) return false;
    this.#items.push(item);
    return true;
  }

  /** Ends the queue: consumers get the queued items, then the end. */
  close(): void {
    this.#finish({ error: undefined, failed: false });
  }

  /** As close, but consumers get the error after the queued items. */
  fail(error: unknown): void {
    this.#finish({ error, failed: true });
  }

  #finish(end: { error: unknown; failed: boolean }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    for (const waiter of this.#waiters) this.#settle(waiter, end);
    this.#waiters.clear();
  }

  #settle(waiter: Waiter<T>, end: { error: unknown; failed: boolean }): void {
    if (end.failed) waiter.fail(end.error);
    else waiter.give({ done: true, value: undefined });
  }

  /** The next item at once, or undefined when there is none now. */
  take(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#head] as T;
    this.#items[this.#head++] = undefined as T;
    // Moving the rest down only when half is gone keeps taking at constant cost on average.
    if (this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** The next item, or the end. Rejects with the signal's reason, then no item is lost. */
  next(signal: AbortSignal): Promise<IteratorResult<T, undefined>> {
    if (this.size > 0) return Promise.resolve({ done: false, value: this.take() as T });
    return new Promise((resolve, reject) => {
      const waiter: Waiter<T> = { give: resolve, fail: reject };
      if (signal.aborted) reject(signal.reason);
      else if (this.#end !== undefined) this.#settle(waiter, this.#end);
      else this.#wait(waiter, signal);
    });
  }

  #wait(waiter: Waiter<T>, signal: AbortSignal): void {
    const unregister = onAbort(signal, () => {
      this.#waiters.delete(registered);
      waiter.fail(signal.reason);
    });
    const registered: Waiter<T> = {
      give: (result) => {
        unregister();
        waiter.give(result);
      },
      fail: (reason) => {
        unregister();
        waiter.fail(reason);
      },
    };
    this.#waiters.add(registered);
  }

  /** Items until the end; throws the signal's reason. */
  async *iterate(signal: AbortSignal): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const result = await this.next(signal);
      if (result.done === true) return;
      yield result.value;
    }
  }
}
