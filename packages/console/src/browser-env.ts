import type { FollowOptions } from '@orch/client';

/** The clock and the random numbers of the browser. */
export const browserEnv = (): FollowOptions['env'] => {
  const schedule = (delayMs: number, callback: () => void): (() => void) => {
    const timer = window.setTimeout(callback, delayMs);
    return () => window.clearTimeout(timer);
  };
  return {
    clock: {
      now: () => Date.now(),
      monotonic: () => window.performance.now(),
      schedule,
      scheduleAwaited: schedule,
    },
    random: {
      bytes: () => {
        throw new Error('the page needs no random bytes');
      },
      uuid: () => crypto.randomUUID(),
      int: (below) => Math.floor(Math.random() * below),
    },
  };
};
