import type { Clock } from '../env.ts';

/** Maximum delay of a timer of the runtime; longer ones are made of several. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Whether a pending timer keeps the process running. */
type Hold = 'process' | 'nothing';

/** Refuses a delay of NaN, which a timer would take for 1 ms. Throws a RangeError. */
export function checkDelay(delayMs: number): void {
  if (Number.isNaN(delayMs)) throw new RangeError('the delay of a timer must be a number, not NaN');
}

function schedule(delayMs: number, callback: () => void, holds: Hold): () => void {
  checkDelay(delayMs);
  let handle: NodeJS.Timeout | undefined;
  let cancelled = false;
  const arm = (left: number): void => {
    const step = Math.min(Math.max(left, 0), MAX_TIMER_MS);
    handle = setTimeout(() => {
      if (cancelled) return;
      if (left > step) arm(left - step);
      else callback();
    }, step);
    if (holds === 'nothing') handle.unref();
  };
  arm(delayMs);
  return () => {
    cancelled = true;
    clearTimeout(handle);
  };
}

/** The clock of the machine. */
export const systemClock: Clock = Object.freeze<Clock>({
  now: () => Date.now(),
  // `performance.now` loads modules of the runtime, which a short command has no other use for.
  monotonic() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
  schedule: (delayMs, callback) => schedule(delayMs, callback, 'nothing'),
  scheduleAwaited: (delayMs, callback) => schedule(delayMs, callback, 'process'),
});
