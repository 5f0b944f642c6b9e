import { setTimeout as sleep } from 'node:timers/promises';
import { settle } from './fake-clock.ts';

/** Between two reads at first. */
const INTERVAL_MS = 10;
/** Between two reads in the end: reading costs CPU that the awaited work needs. */
const MAX_INTERVAL_MS = 100;
/** A wait is longer than necessary by at most this share of it. */
const LATE_SHARE = 0.05;
const DEADLINE_MS = 20_000;
/** Maximum length of the last value in an error. */
const MAX_CHARACTERS = 4000;

/** The time until the next read of a wait that began at `startedAt`. */
const intervalAfter = (startedAt: number): number =>
  Math.min(INTERVAL_MS + (performance.now() - startedAt) * LATE_SHARE, MAX_INTERVAL_MS);

/**
 * Calls `probe` repeatedly until it returns something other than undefined and false. Rejects, naming `what` and the last
 * failure, when that did not happen within `deadlineMs`.
 */
export async function poll<T>(
  what: string,
  deadlineMs: number,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const startedAt = performance.now();
  const deadline = startedAt + deadlineMs;
  let cause: unknown;
  for (;;) {
    try {
      const result = await probe();
      if (result !== undefined && result !== false) return result;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) throw new Error(`${what}: not within ${deadlineMs} ms`, { cause });
    await sleep(intervalAfter(startedAt));
  }
}

/** Reads repeatedly until `accept` accepts the value. Rejects with the last value after the deadline. */
export async function eventually<T>(
  read: () => Promise<T>,
  accept: (value: T) => boolean,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const startedAt = performance.now();
  const deadline = startedAt + deadlineMs;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (performance.now() >= deadline)
      throw new Error(`not accepted: ${JSON.stringify(value)?.slice(0, MAX_CHARACTERS)}`);
    await sleep(intervalAfter(startedAt));
  }
}

/**
 * Waits until the condition holds, without a pause between the checks: for what happens in this process. Rejects, naming
 * `what`, after the deadline.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = String(holds),
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await holds())) {
    if (performance.now() >= deadline) throw new Error(`${what}: not within ${deadlineMs} ms`);
    await settle();
  }
}
