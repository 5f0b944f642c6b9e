import type { Random } from '@orch/machinery';

/** Delays that double from `baseMs` to `maxMs`, each shortened by chance by up to a half, so that clients spread. */
export class Backoff {
  readonly #random: Random;
  readonly #baseMs: number;
  readonly #maxMs: number;
  #attempt = 0;

  constructor(random: Random, baseMs: number, maxMs: number) {
    this.#random = random;
    this.#baseMs = baseMs;
    this.#maxMs = maxMs;
  }

  next(): number {
    const full = Math.min(this.#maxMs, this.#baseMs * 2 ** Math.min(this.#attempt++, 30));
    return full - this.#random.int(Math.floor(full / 2) + 1);
  }

  reset(): void {
    this.#attempt = 0;
  }
}
