import { createLogger, createMetrics } from '../env/index.ts';
import type { Env } from '../env.ts';
import type { Logger } from '../log.ts';
import { FakeClock } from './fake-clock.ts';
import { seededRandom } from './seeded-random.ts';

/** A log that keeps its entries, for tests that check them. */
export interface RecordedLog {
  readonly log: Logger;
  /** Entries so far, each with ts, level, msg and its fields. */
  readonly entries: Record<string, unknown>[];
}

export function recordedLog(clock: Pick<FakeClock, 'now'>, verbosity = 10): RecordedLog {
  const entries: Record<string, unknown>[] = [];
  const log = createLogger({
    clock,
    verbosity,
    write: (line) => void entries.push(JSON.parse(line) as Record<string, unknown>),
  });
  return { log, entries };
}

export interface TestEnv extends Env {
  readonly clock: FakeClock;
  readonly entries: Record<string, unknown>[];
}

/** An environment that is the same in every run: a fake clock, seeded random numbers, a recorded log, new metrics. */
export function testEnv(options: { readonly seed?: number; readonly epochMs?: number } = {}): TestEnv {
  const clock = new FakeClock(options.epochMs);
  const { log, entries } = recordedLog(clock);
  return { clock, random: seededRandom(options.seed ?? 1), log, metrics: createMetrics(), entries };
}
