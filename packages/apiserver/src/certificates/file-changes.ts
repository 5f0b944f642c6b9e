import { statSync } from 'node:fs';
import { type Clock, sleep } from '@orch/machinery';

/** How often files are looked at. */
const intervalMs = 1_000;

/**
 * Calls `changed` when one of the files is another than it was when this began, or at the last call. Returns when the
 * signal aborts. Looking beats being told: files of mounted volumes are replaced through links, on which watches differ.
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
      await sleep(clock, intervalMs, signal);
    } catch {
      return;
    }
    const now = paths.map(stampOf).join();
    if (now === known) continue;
    known = now;
    changed();
  }
}

/** What tells two states of a file apart. A file that is not there now has one too. */
function stampOf(path: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    return 'absent';
  }
}
