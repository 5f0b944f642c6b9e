/** Queues of threads, or of what only one thread uses at a time, each of which does its work in the order of arrival. */
export class Queues {
  readonly #freeAt: number[];

  constructor(count: number) {
    this.#freeAt = Array.from({ length: count }, () => 0);
  }

  /** The time at which work ends that arrives at a time. */
  work(thread: number, at: number, micros: number): number {
    const end = Math.max(this.#freeAt[thread] ?? 0, at) + micros;
    this.#freeAt[thread] = end;
    return end;
  }
}

/** The 99th percentile, in whole units. */
export const p99 = (values: number[]): number =>
  Math.round(values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0);

/** The time until the next arrival of a process without memory, in the unit of the mean. `share` is a random number below 1. */
export const untilNext = (mean: number, share: number): number => -Math.log(1 - share) * mean;

/**
 * µs of CPU for the event of a write: in the first thread, what each further thread adds to it there, and in each further thread.
 * Measured by `packages/cache/bench/threads.ts`.
 */
export const eventMicros = { inFirst: 21, forEach: 3.8, inFurther: 14.4 };
