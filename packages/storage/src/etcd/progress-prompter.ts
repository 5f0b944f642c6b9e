import type { Cancel, Clock } from '@orch/machinery';
import type { Revision } from '../store.ts';
import type { RevisionTracker } from './revision-tracker.ts';

export interface Progressing {
  readonly rev: Revision;
  requestProgress(): void;
}

/** Time that events have to arrive by themselves before the server is asked. */
const GRACE_MS = 50;
const QUIET_INTERVAL_MS = 5000;

/**
 * Keeps a watch of a quiet range up to date: when the store is known to be ahead of the watch for a moment, or nothing
 * came for five seconds, it asks the server for the stream's progress.
 */
export class ProgressPrompter implements Disposable {
  readonly #clock: Clock;
  readonly #tracker: RevisionTracker;
  readonly #watch: Progressing;
  readonly #unsubscribe: () => void;
  #cancelGrace: Cancel | undefined;
  #cancelQuiet: Cancel;

  constructor(clock: Clock, tracker: RevisionTracker, watch: Progressing) {
    this.#clock = clock;
    this.#tracker = tracker;
    this.#watch = watch;
    this.#unsubscribe = tracker.onGrowth(() => this.#expect());
    this.#cancelQuiet = clock.schedule(QUIET_INTERVAL_MS, () => this.#onQuiet(watch.rev));
    this.#expect();
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#cancelGrace?.();
    this.#cancelQuiet();
  }

  #expect(): void {
    const target = this.#tracker.latest;
    if (this.#cancelGrace !== undefined || this.#watch.rev >= target) return;
    this.#cancelGrace = this.#clock.schedule(GRACE_MS, () => {
      this.#cancelGrace = undefined;
      if (this.#watch.rev < target) this.#watch.requestProgress();
      this.#expect();
    });
  }

  #onQuiet(lastSeen: Revision): void {
    if (this.#watch.rev === lastSeen) this.#watch.requestProgress();
    const { rev } = this.#watch;
    this.#cancelQuiet = this.#clock.schedule(QUIET_INTERVAL_MS, () => this.#onQuiet(rev));
  }
}
