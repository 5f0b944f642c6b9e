import type { WatchCache } from '@orch/cache';
import { type Env, messageOf } from '@orch/machinery';
import { onAbort } from '@orch/machinery/concurrency';

export type CachedObjects = Pick<WatchCache, 'readCorruptAgain'>;

/** Reads cached objects again that could not be decrypted, after a change that may make them readable. */
export class Rereads {
  readonly #env: Pick<Env, 'log'>;
  #isRequested = false;
  #wake = (): void => {};

  constructor(env: Pick<Env, 'log'>) {
    this.#env = env;
  }

  /** Requests during a run are served by one run after it. */
  request(): void {
    this.#isRequested = true;
    this.#wake();
  }

  async run(cache: CachedObjects, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#requested(signal);
      this.#isRequested = false;
      if (signal.aborted) return;
      try {
        const count = await cache.readCorruptAgain(signal);
        if (count > 0) this.#env.log.info('objects that could not be read can be read now', { count });
      } catch (error) {
        if (signal.aborted) return;
        this.#env.log.warn('not all objects that could not be read were read again', {
          error: messageOf(error),
        });
      }
    }
  }

  #requested(signal: AbortSignal): Promise<void> {
    if (this.#isRequested || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const unregister = onAbort(signal, () => this.#wake());
      this.#wake = () => {
        this.#wake = () => {};
        unregister();
        resolve();
      };
    });
  }
}
