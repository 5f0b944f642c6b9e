import type { Cancel, Env, Logger } from '@orch/machinery';
import { checkDelay, createMetrics } from '@orch/machinery/env';
import { consoleLogger } from './console-logger.ts';

/** Maximum delay of a timer of a browser; longer ones are made of several. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The environment of a program in a browser: its clock and random numbers, and new metrics. Logs go to the console by default. */
export const browserEnv = (options: { readonly log?: Logger } = {}): Env => ({
  clock: {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    schedule,
    scheduleAwaited: schedule,
  },
  random: {
    bytes() {
      throw new Error('a browser has no Buffer of random bytes: call crypto.getRandomValues');
    },
    uuid: () => crypto.randomUUID(),
    int: randomBelow,
  },
  log: options.log ?? consoleLogger,
  metrics: createMetrics(),
});

function schedule(delayMs: number, callback: () => void): Cancel {
  checkDelay(delayMs);
  let handle: ReturnType<typeof setTimeout> | undefined;
  const arm = (left: number): void => {
    const step = Math.min(Math.max(left, 0), MAX_TIMER_MS);
    handle = setTimeout(() => (left > step ? arm(left - step) : callback()), step);
  };
  arm(delayMs);
  return () => clearTimeout(handle);
}

/** Random numbers for delays, not for secrets. */
const randomBelow = (below: number): number => {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return Math.floor((value / 2 ** 32) * below);
};
