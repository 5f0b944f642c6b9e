import { onAbort, withDeadline } from '../concurrency/index.ts';
import type { Cancel, Clock } from '../env.ts';
import { finiteNumber } from '../finite-number.ts';
import type { Logger } from '../log.ts';
import { ApiError } from '../status.ts';
import type { WorkQueue } from './work-queue.ts';

/** The outcome of processing a key. `conflict`: the object was updated concurrently, which is not an error. */
export type WorkResult = 'success' | 'requeue' | 'conflict' | 'error' | 'timeout' | 'stopped';

/** Work that continues for this long after its signal has aborted is logged. */
const END_MS = 30_000;
const DEFAULT_DEADLINE_MS = 300_000;

const ignore = (): void => undefined;

export interface WorkersOptions<K> {
  readonly clock: Clock;
  readonly log: Logger;
  /** Keys that are processed at a time. */
  readonly workers: number;
  /** After this time the signal of the work aborts, and the work counts as failed. Five minutes when absent. */
  readonly deadlineMs?: number;
  /** The log message of a failure. */
  readonly failed: string;
  /** Processes a key. Returns the delay after which the key is processed again; undefined: when it is added. */
  readonly work: (key: K, signal: AbortSignal) => Promise<number | undefined>;
  /** Called before a key is processed; the workers end when it returns false. */
  readonly mayWork?: () => boolean;
  /** Called when a key was processed. */
  readonly ended?: (result: WorkResult, seconds: number) => void;
}

/** Processes the keys of a queue. A failure is logged, and the key is added again with a delay by the rate limit. */
export class Workers<K> {
  readonly #queue: WorkQueue<K>;
  readonly #options: WorkersOptions<K>;

  constructor(queue: WorkQueue<K>, options: WorkersOptions<K>) {
    finiteNumber('workers', options.workers, { least: 1 });
    this.#queue = queue;
    this.#options = options;
  }

  /** Resolves when the signal has aborted and all work has ended. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.workers }, () => this.#process(signal)));
  }

  async #process(signal: AbortSignal): Promise<void> {
    const { mayWork = () => true } = this.#options;
    while (!signal.aborted) {
      const key = await this.#queue.next(signal).catch(() => undefined);
      if (key === undefined || signal.aborted || !mayWork()) return;
      await this.#processKey(key, signal);
    }
  }

  async #processKey(key: K, signal: AbortSignal): Promise<void> {
    const { clock, deadlineMs = DEFAULT_DEADLINE_MS, ended } = this.#options;
    const startedAt = clock.monotonic();
    using deadline = withDeadline(signal, clock, deadlineMs);
    const result = await this.#tryWork(key, deadline.signal, signal);
    this.#queue.done(key);
    ended?.(result, (clock.monotonic() - startedAt) / 1000);
  }

  async #tryWork(key: K, deadline: AbortSignal, signal: AbortSignal): Promise<WorkResult> {
    const queue = this.#queue;
    try {
      const requeueAfterMs = await this.#untilEnded(key, deadline);
      if (requeueAfterMs !== undefined) finiteNumber('requeueAfterMs', requeueAfterMs);
      queue.forget(key);
      if (requeueAfterMs === undefined) return 'success';
      queue.addAfter(key, requeueAfterMs);
      return 'requeue';
    } catch (error) {
      if (signal.aborted) return 'stopped';
      const failures = queue.failures(key) + 1;
      queue.addRateLimited(key);
      return this.#failure({ key, failures, error }, deadline.aborted);
    }
  }

  #failure(
    failure: { readonly key: K; readonly failures: number; readonly error: unknown },
    isLate: boolean,
  ): WorkResult {
    const { log, failed } = this.#options;
    const { error } = failure;
    // The next attempt sees the new version.
    if (error instanceof ApiError && error.status.code === 409) {
      log.debug(2, 'conflict, trying again', { ...failure, error: error.message });
      return 'conflict';
    }
    log.warn(failed, { ...failure });
    return isLate ? 'timeout' : 'error';
  }

  /**
   * The work itself, also after its deadline: a key is never processed twice at the same time. Work that does not end is
   * logged.
   */
  async #untilEnded(key: K, deadline: AbortSignal): Promise<number | undefined> {
    const { clock, log, work } = this.#options;
    let cancel: Cancel = ignore;
    const unregister = onAbort(deadline, () => {
      cancel = clock.schedule(END_MS, () =>
        log.error('work continues after its signal was aborted', { key }),
      );
    });
    try {
      return await work(key, deadline);
    } finally {
      unregister();
      cancel();
    }
  }
}
