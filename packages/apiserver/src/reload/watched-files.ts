import { statSync } from 'node:fs';
import type { Clock } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';

/** Interval at which files are checked. */
const INTERVAL_MS = 1_000;
/** Interval of attempts to use changed files that may succeed without another change. */
const RETRY_MS = 10_000;

/**
 * Reports changes of files since they were added, so that files read after that are never older than the watched state.
 * Files are polled: those of mounted volumes are replaced through links, where file system watches are unreliable.
 */
export class WatchedFiles {
  /** State of each file when it was last found to be changed. */
  readonly #stamps = new Map<string, string>();

  constructor(paths: readonly string[]) {
    for (const path of paths) this.add(path);
  }

  get paths(): readonly string[] {
    return [...this.#stamps.keys()];
  }

  /** Watches another file as well; it must be read after this call. */
  add(path: string): void {
    if (!this.#stamps.has(path)) this.#stamps.set(path, stampOf(path));
  }

  /** Does not watch other files than these any longer. */
  retain(paths: ReadonlySet<string>): void {
    for (const path of this.#stamps.keys()) if (!paths.has(path)) this.#stamps.delete(path);
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
      const isChanged = this.#update();
      if (!isChanged && clock.monotonic() < retryAt) continue;
      retryAt = (await changed()) ? Number.POSITIVE_INFINITY : clock.monotonic() + RETRY_MS;
    }
  }

  /** Reports whether a file has changed. */
  #update(): boolean {
    let isChanged = false;
    for (const [path, known] of this.#stamps) {
      const stamp = stampOf(path);
      if (stamp === known) continue;
      this.#stamps.set(path, stamp);
      isChanged = true;
    }
    return isChanged;
  }
}

/** Identifies the state of a file; also defined for a missing file. */
function stampOf(path: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    return 'absent';
  }
}
