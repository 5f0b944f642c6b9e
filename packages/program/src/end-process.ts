import { systemClock } from '@orch/machinery/env';

/** Time for work in flight after a program has ended: the last lines of its log, and responses of other servers. */
const LEFT_OVER_MS = 5_000;

/**
 * Ends the process with a status once nothing holds it any more, or after a moment: what others do not finish, such as
 * a webhook that does not answer, must not keep a program that has ended. A line on standard error then contains the
 * reason.
 */
export function endProcess(status: number): void {
  process.exitCode = status;
  systemClock.schedule(LEFT_OVER_MS, () => {
    const held = [...new Set(process.getActiveResourcesInfo())].join(', ');
    process.stderr.write(`ended while something was still open: ${held}\n`);
    process.exit(status);
  });
}
