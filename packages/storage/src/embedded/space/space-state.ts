import type { Cancel, Clock, Logger } from '@orch/machinery';
import { FULL_MESSAGE } from '../database/sqlite.ts';

export interface SpaceStateOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Frees space, and measures whether it is enough. */
  readonly makeRoom: () => Promise<void>;
}

/** Delay between two attempts to free space. */
const RETRY_MS = 2000;

/** Tracks whether the store is full, and frees space repeatedly until it is not. */
export class SpaceState {
  readonly #options: SpaceStateOptions;
  #isFull = false;
  #isStopped = false;
  #cancel: Cancel | undefined;

  constructor(options: SpaceStateOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  changed(isFull: boolean): void {
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    const { log } = this.#options;
    if (isFull) {
      log.error(FULL_MESSAGE);
      this.#schedule();
    } else {
      this.#cancel?.();
      log.info('the embedded store has space again and accepts all writes');
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  #schedule(): void {
    const { clock, makeRoom } = this.#options;
    this.#cancel?.();
    this.#cancel = clock.schedule(RETRY_MS, async () => {
      await makeRoom();
      if (this.#isFull && !this.#isStopped) this.#schedule();
    });
  }
}
