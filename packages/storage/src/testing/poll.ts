import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `probe` repeatedly until it returns something other than undefined. Rejects, naming `what` and the last
 * failure, when that did not happen within `deadlineMs`.
 */
export async function poll<T>(
  what: string,
  deadlineMs: number,
  probe: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  let cause: unknown;
  for (;;) {
    try {
      const result = await probe();
      if (result !== undefined) return result;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) throw new Error(`${what}: not within ${deadlineMs} ms`, { cause });
    await sleep(10);
  }
}
