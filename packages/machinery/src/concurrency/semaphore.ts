import { onAbort } from './abort.ts';

/** Limits the number of concurrent holders. Waiting requests receive a permit in the order of their arrival. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(permits: number) {
    if (!(permits >= 1)) throw new RangeError('a semaphore has at least one permit');
    this.#free = permits;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for a permit and returns the function that releases it (once). Rejects with the signal's reason. */
  acquire(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(this.#releaser());
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        unregister();
        resolve(this.#releaser());
      };
      const unregister = onAbort(signal, () => {
        this.#waiting.delete(admit);
        reject(signal.reason);
      });
      this.#waiting.add(admit);
    });
  }

  #releaser(): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const [next] = this.#waiting;
      if (next === undefined) this.#free++;
      else {
        this.#waiting.delete(next);
        next();
      }
    };
  }

  /** Runs `work` while holding a permit. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
