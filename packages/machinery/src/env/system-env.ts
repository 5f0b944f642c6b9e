import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Clock, Env, Random } from '../env.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { type ThreadTurns, TurnSchedule } from '../turn-schedule.ts';
import { checkDelay } from './check-delay.ts';
import { descriptorWrite, lineWriter } from './line-writer.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';

/** Random numbers from the operating system, which are secure enough for secrets. */
export const systemRandom: Random = Object.freeze({
  bytes: (count: number) => randomBytes(count),
  uuid: () => randomUUID(),
  int: (below: number) => randomInt(below),
});

/** Maximum delay of a timer of the runtime; longer ones are made of several. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Whether a pending timer keeps the process running. */
type Hold = 'process' | 'nothing';

function schedule(delayMs: number, callback: () => void, holds: Hold): () => void {
  checkDelay(delayMs);
  return delayMs <= MAX_TIMER_MS
    ? scheduleOne(Math.max(delayMs, 0), callback, holds)
    : scheduleSeveral(delayMs, callback, holds);
}

/** With one closure besides the callback: servers have a timer for every watch. */
function scheduleOne(delayMs: number, callback: () => void, holds: Hold): () => void {
  const handle = setTimeout(callback, delayMs);
  if (holds === 'nothing') handle.unref();
  return () => clearTimeout(handle);
}

function scheduleSeveral(delayMs: number, callback: () => void, holds: Hold): () => void {
  let handle: NodeJS.Timeout | undefined;
  let cancelled = false;
  const arm = (left: number): void => {
    const step = Math.min(left, MAX_TIMER_MS);
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
  active: () => performance.eventLoopUtilization().active,
  schedule: (delayMs, callback) => schedule(delayMs, callback, 'nothing'),
  scheduleAwaited: (delayMs, callback) => schedule(delayMs, callback, 'process'),
});

/** Replaces parts of the environment of a process. */
export interface SystemEnvOptions {
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** The turns of the thread, for metrics that are written in them. */
  readonly turns?: ThreadTurns;
  /** For the default logger, which writes to standard error. */
  readonly verbosity?: number;
}

/** The environment of a process, whose log can be waited for. */
export interface SystemEnv extends Env {
  /** Resolves when the default logger's lines are out: for the end of the process. */
  flush(): Promise<void>;
}

/**
 * The environment of a process, for composition roots: the clock and random numbers of the machine, logs to standard
 * error, new metrics.
 */
export function systemEnv(options: SystemEnvOptions = {}): SystemEnv {
  const writer = lineWriter(descriptorWrite(2));
  return {
    clock: systemClock,
    random: systemRandom,
    log:
      options.log ??
      createLogger({
        write: (line) => writer.write(line),
        clock: systemClock,
        verbosity: options.verbosity ?? 0,
      }),
    metrics: options.metrics ?? createMetrics(),
    turns: options.turns ?? new TurnSchedule(systemClock),
    flush: () => writer.flush(),
  };
}
