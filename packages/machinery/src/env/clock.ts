import type { Clock } from '../env.ts';

/** Longest delay that a timer of the runtime can hold; longer ones are made of several. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function schedule(delayMs: number, callback: () => void): () => void {
  let handle: NodeJS.Timeout | undefined;
  let cancelled = false;
  const arm = (left: number): void => {
    const step = Math.min(Math.max(left, 0), MAX_TIMER_MS);
    handle = setTimeout(() => {
      if (cancelled) return;
      if (left > step) arm(left - step);
      else callback();
    }, step);
    handle.unref();
  };
  arm(delayMs);
  return () => {
    cancelled = true;
    clearTimeout(handle);
  };
}

/** The clock of the machine. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule,
});
