import type { Cancel, Clock } from '../env.ts';

interface Waiting<K> {
  readonly key: K;
  readonly due: number;
}

/** Keys with a due time, each once with its earliest time. One timer serves all. */
export class Delays<K> {
  readonly #clock: Clock;
  readonly #onDue: (key: K) => void;
  /** A binary heap by due time. Entries that an earlier time has replaced stay, and are skipped when they are due. */
  readonly #heap: Waiting<K>[] = [];
  readonly #dueOf = new Map<K, number>();
  #cancel: Cancel | undefined;
  #timerDue = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, onDue: (key: K) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#dueOf.size;
  }

  has(key: K): boolean {
    return this.#dueOf.has(key);
  }

  /** The delay must be finite: the heap has no order for NaN. */
  set(key: K, delayMs: number): void {
    const due = this.#clock.monotonic() + delayMs;
    const known = this.#dueOf.get(key);
    if (known !== undefined && known <= due) return;
    this.#dueOf.set(key, due);
    // There are at most as many replaced entries as live ones, so that repeated changes of one key do not use memory.
    if (this.#heap.length > 2 * this.#dueOf.size + 16) this.#rebuild();
    else this.#push({ key, due });
    this.#arm();
  }

  clear(): void {
    this.#heap.length = 0;
    this.#dueOf.clear();
    this.#cancel?.();
    this.#cancel = undefined;
    this.#timerDue = Number.POSITIVE_INFINITY;
  }

  #arm(): void {
    const first = this.#heap[0];
    if (first === undefined || first.due >= this.#timerDue) return;
    this.#cancel?.();
    this.#timerDue = first.due;
    this.#cancel = this.#clock.scheduleAwaited(first.due - this.#clock.monotonic(), () => this.#fire());
  }

  #fire(): void {
    this.#cancel = undefined;
    this.#timerDue = Number.POSITIVE_INFINITY;
    const now = this.#clock.monotonic();
    for (let first = this.#heap[0]; first !== undefined && first.due <= now; first = this.#heap[0]) {
      this.#pop();
      if (this.#dueOf.get(first.key) !== first.due) continue;
      this.#dueOf.delete(first.key);
      this.#onDue(first.key);
    }
    this.#arm();
  }

  #rebuild(): void {
    this.#heap.length = 0;
    for (const [key, due] of this.#dueOf) this.#push({ key, due });
  }

  #push(entry: Waiting<K>): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Waiting<K>;
      if (above.due <= entry.due) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const least =
        right < heap.length && (heap[right] as Waiting<K>).due < (heap[left] as Waiting<K>).due
          ? right
          : left;
      const below = heap[least] as Waiting<K>;
      if (below.due >= last.due) break;
      heap[at] = below;
      at = least;
    }
    heap[at] = last;
  }
}
