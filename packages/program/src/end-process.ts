import { systemClock } from '@orch/machinery/env';

/** Time for work in flight after a program has ended: the last lines of its log, and responses of other servers. */
const LEFT_OVER_MS = 5_000;

/**
 * Ends the process with an exit status once nothing keeps it running, or after a short grace period: unfinished calls,
 * such as a webhook that does not answer, must not keep a finished program alive. A line on standard error then gives
 * the reason.
 */
export function endProcess(status: number): void {
  process.exitCode = status;
  systemClock.schedule(LEFT_OVER_MS, () => {
    const held = [...new Set(process.getActiveResourcesInfo())].join(', ');
    process.stderr.write(`ended while something was still open: ${held}\n`);
    process.exit(status);
  });
}
