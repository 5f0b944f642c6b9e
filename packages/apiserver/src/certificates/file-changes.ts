import { statSync } from 'node:fs';
import { type Clock, sleep } from '@orch/machinery';

/** Interval at which files are checked. */
const INTERVAL_MS = 1_000;

/**
 * Calls `changed` when one of the files differs from its state at the start, or at the last call. Returns when the
 * signal aborts. Files are polled: those of mounted volumes are replaced through links, where file system watches are
 * unreliable.
 */
export async function watchFiles(
  paths: readonly string[],
  clock: Clock,
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  let known = paths.map(stampOf).join();
  while (!signal.aborted) {
    try {
      await sleep(clock, INTERVAL_MS, signal);
    } catch {
      return;
    }
    const now = paths.map(stampOf).join();
    if (now === known) continue;
    known = now;
    changed();
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
