import type { Cancel, Clock } from '@orch/machinery';
import type { Revision } from '../../store.ts';
import type { RevisionTracker } from '../client/revision-tracker.ts';

export interface Progressing {
  readonly rev: Revision;
  requestProgress(): void;
}

/** Time that events have to arrive before progress is requested; doubled while there is no answer. */
const GRACE_MS = 50;
const MAX_GRACE_MS = 1000;
const QUIET_INTERVAL_MS = 5000;

/**
 * Keeps a watch of a quiet range up to date: when the store is known to be ahead of the watch for some time, or
 * nothing arrived for five seconds, it requests the progress of the stream. Servers do not answer while the watch
 * itself is behind, so it repeats the request until the watch has caught up.
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
    this.#unsubscribe = tracker.onGrowth(() => this.#expect(GRACE_MS));
    this.#cancelQuiet = this.#scheduleQuiet();
    this.#expect(GRACE_MS);
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#cancelGrace?.();
    this.#cancelQuiet();
  }

  #expect(graceMs: number): void {
    const target = this.#tracker.latest;
    if (this.#cancelGrace !== undefined || this.#watch.rev >= target) return;
    this.#cancelGrace = this.#clock.schedule(graceMs, () => {
      this.#cancelGrace = undefined;
      const behind = this.#watch.rev < target;
      if (behind) this.#watch.requestProgress();
      this.#expect(behind ? Math.min(2 * graceMs, MAX_GRACE_MS) : GRACE_MS);
    });
  }

  #scheduleQuiet(): Cancel {
    const { rev } = this.#watch;
    return this.#clock.schedule(QUIET_INTERVAL_MS, () => {
      if (this.#watch.rev === rev) this.#watch.requestProgress();
      this.#cancelQuiet = this.#scheduleQuiet();
    });
  }
}
