import { statSync } from 'node:fs';
import { type Clock, sleep } from '@orch/machinery';

/** Interval at which files are checked. */
const INTERVAL_MS = 1_000;
/** Interval of attempts to use changed files that may succeed without another change. */
const RETRY_MS = 10_000;

/**
 * Reports changes of files since it was constructed, so that files which are read after that are never older than what is
 * watched. Files are polled: those of mounted volumes are replaced through links, where file system watches are unreliable.
 */
export class WatchedFiles {
  readonly #paths: readonly string[];
  #known: string;

  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.#known = stampsOf(paths);
  }

  /**
   * Calls `changed` when a file differs from its state at the construction or at the last call, and when the last call has
   * returned false and `RETRY_MS` have passed. Returns when the signal aborts.
   */
  async watch(clock: Clock, changed: () => boolean | Promise<boolean>, signal: AbortSignal): Promise<void> {
    let retryAt = Number.POSITIVE_INFINITY;
    while (!signal.aborted) {
      try {
        await sleep(clock, INTERVAL_MS, signal);
      } catch {
        return;
      }
      const now = stampsOf(this.#paths);
      if (now === this.#known && clock.monotonic() < retryAt) continue;
      this.#known = now;
      retryAt = (await changed()) ? Number.POSITIVE_INFINITY : clock.monotonic() + RETRY_MS;
    }
  }
}

const stampsOf = (paths: readonly string[]): string => paths.map(stampOf).join();

/** Identifies the state of a file; also defined for a missing file. */
function stampOf(path: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    return 'absent';
  }
}
